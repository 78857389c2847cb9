import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { focusedElement, surfaceRoot } from '../data/surface.ts'

export interface PanelCommand {
  /** The words of the list of keys about it; empty for one that it leaves out. */
  title: string
  keys: string
  run: () => unknown
}

/** The last of several with the same key wins. */
export const panelCommands = signal<readonly PanelCommand[]>([])

export function addCommands(list: readonly PanelCommand[]): () => void {
  panelCommands.value = [...panelCommands.peek(), ...list]
  return () =>
    void (panelCommands.value = panelCommands.peek().filter((one) => !list.includes(one)))
}

export function useCommands(list: readonly PanelCommand[], inputs: readonly unknown[] = []) {
  // At once: a key that is pressed when something is seen reaches it.
  useLayoutEffect(() => addCommands(list), inputs)
}

export function listenToKeys(node: EventTarget): () => void {
  let first = ''
  const listener = (pressedKey: Event) => {
    const event = pressedKey as KeyboardEvent
    if (event.defaultPrevented || event.isComposing) return
    const pressed = nameOfKeys(event)
    const both = first === '' ? pressed : `${first} ${pressed}`
    first = ''
    if (isInput(event.target)) return
    const found = panelCommands.peek().findLast(({ keys }) => keys === both)
    if (panelCommands.peek().some(({ keys }) => keys.startsWith(both + ' '))) first = both
    if (found) {
      event.preventDefault()
      found.run()
    } else if (/^[jk]$/.test(pressed)) passToList(event)
  }
  node.addEventListener('keydown', listener)
  return () => node.removeEventListener('keydown', listener)
}

function nameOfKeys({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const isMod = ctrlKey || metaKey
  return (
    (isMod ? 'Mod+' : '') +
    (altKey ? 'Alt+' : '') +
    (key.length === 1 && isMod ? key.toLowerCase() : key)
  )
}

/** Returns whether an element takes keys itself, or is in a dialog. */
export function isInput(target: EventTarget | null): boolean {
  const inputs = 'input:not([type=checkbox]), textarea, select, dialog, dialog *'
  return target instanceof HTMLElement && target.matches(inputs)
}

export function focusList(): HTMLElement | null {
  const list = surfaceRoot().querySelector<HTMLElement>(
    '#view [data-list], #view [data-row][tabindex="0"]',
  )
  list?.focus()
  return list
}

function passToList(event: KeyboardEvent) {
  const before = focusedElement() ?? null
  const list = focusList()
  if (!list || list.contains(before)) return
  event.preventDefault()
  if (list.hasAttribute('data-list'))
    list.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: event.key,
        bubbles: true,
        cancelable: true,
      }),
    )
}
