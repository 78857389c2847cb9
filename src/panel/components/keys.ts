import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { focusedElement, surfaceRoot } from '../data/surface.ts'

export interface PanelCommand {
  readonly title: string
  /** Other words for it, by which the palette finds it, too. The palette has no command without them. */
  readonly keywords?: string
  readonly keys?: string
  readonly whileTyping?: boolean
  readonly run: () => unknown
}

/** Of several with the same key, the last one wins. */
export const panelCommands = signal<readonly PanelCommand[]>([])

export function addCommands(list: readonly PanelCommand[]): () => void {
  panelCommands.value = [...panelCommands.peek(), ...list]
  return () => void (panelCommands.value = panelCommands.peek().filter((one) => !list.includes(one)))
}

export function useCommands(list: readonly PanelCommand[], inputs: readonly unknown[] = []): void {
  // At once: a key that is pressed when something is seen reaches it.
  useLayoutEffect(() => addCommands(list), inputs)
}

export function listenToKeys(node: EventTarget): () => void {
  let first = ''
  const listener = (pressedKey: Event) => {
    const event = pressedKey as KeyboardEvent
    if (event.defaultPrevented || event.isComposing) return
    const isTyping = isInput(event.target)
    const pressed = toText(event)
    const both = first === '' ? pressed : `${first} ${pressed}`
    const found = panelCommands.peek().findLast(({ keys, whileTyping }) => keys === both && (!isTyping || whileTyping))
    const starts = !isTyping && panelCommands.peek().some(({ keys }) => keys?.startsWith(both + ' '))
    first = starts ? both : ''
    if (found) {
      event.preventDefault()
      found.run()
    } else if (!isTyping && /^[jk]$/.test(pressed)) passToList(event)
  }
  node.addEventListener('keydown', listener)
  return () => node.removeEventListener('keydown', listener)
}

function toText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const isMod = ctrlKey || metaKey
  return (isMod ? 'Mod+' : '') + (altKey ? 'Alt+' : '') + (key.length === 1 && isMod ? key.toLowerCase() : key)
}

/** Whether an element takes keys itself, or is in a dialog. */
export function isInput(target: EventTarget | null): boolean {
  const inputs = 'input:not([type=checkbox]), textarea, select, dialog, dialog *'
  return target instanceof HTMLElement && target.matches(inputs)
}

export function focusList(): HTMLElement | null {
  const list = surfaceRoot().querySelector<HTMLElement>('#view [data-list], #view [data-row][tabindex="0"]')
  list?.focus()
  return list
}

function passToList(event: KeyboardEvent): void {
  const before = focusedElement() ?? null
  const list = focusList()
  if (!list || list.contains(before)) return
  event.preventDefault()
  if (list.hasAttribute('data-list'))
    list.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }))
}

/** Finds commands of the palette of which every typed word starts a word of the title or of the keywords, the best match first. */
export function findCommands(all: readonly PanelCommand[], typed: string): PanelCommand[] {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const isIn = (words: string) => text.split(' ').every((word) => startsWord(words.toLowerCase(), word))
  const rank = ({ title, keywords }: PanelCommand) => {
    if (keywords === undefined) return 3
    if (title.toLowerCase().startsWith(text)) return 0
    return isIn(title) ? 1 : isIn(`${title} ${keywords}`) ? 2 : 3
  }
  const ranked = all.map((command) => ({ command, rank: rank(command) })).filter(({ rank }) => rank < 3)
  return ranked.sort((one, other) => one.rank - other.rank).map(({ command }) => command)
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!)) return true
  return false
}
