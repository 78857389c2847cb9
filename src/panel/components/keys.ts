import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { focusedElement, surfaceRoot } from '../data/surface.ts'

export interface KeyBinding {
  readonly keys: string
  readonly title: string
  readonly run: () => unknown
  readonly whileTyping?: boolean
}

const bindings = new Set<KeyBinding>()

/** Binds a key; of several bindings, the last one wins. Returns a function that removes it. */
export function registerKey(binding: KeyBinding): () => void {
  bindings.add(binding)
  return () => void bindings.delete(binding)
}

export function useKeys(list: readonly KeyBinding[], inputs: readonly unknown[] = []): void {
  useRegistered(registerKey, list, inputs)
}

function useRegistered<T>(register: (one: T) => () => void, list: readonly T[], inputs: readonly unknown[]): void {
  useEffect(() => {
    const ends = list.map(register)
    return () => ends.forEach((end) => end())
  }, inputs)
}

/** Binds Escape while `isOpen`. Unbound, Escape closes the drawer. */
export function useEscape(isOpen: boolean, close: () => void): void {
  useKeys(isOpen ? [{ keys: 'Escape', title: '', run: close }] : [], [isOpen])
}

export function listBindings(): KeyBinding[] {
  return [...bindings].filter(({ title }) => title !== '')
}

export function listenToKeys(node: EventTarget): () => void {
  let first = ''
  const listener = (pressedKey: Event) => {
    const event = pressedKey as KeyboardEvent
    if (event.defaultPrevented || event.isComposing) return
    const isTyping = isInput(event.target)
    const pressed = toText(event)
    const both = first === '' ? pressed : `${first} ${pressed}`
    const found = [...bindings].findLast(({ keys, whileTyping }) => keys === both && (!isTyping || whileTyping))
    const starts = !isTyping && [...bindings].some(({ keys }) => keys.startsWith(both + ' '))
    first = starts ? both : ''
    if (found) {
      event.preventDefault()
      found.run()
    } else if (!isTyping && isMove(event)) passToList(event)
  }
  node.addEventListener('keydown', listener)
  return () => node.removeEventListener('keydown', listener)
}

function toText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  return (
    (ctrlKey || metaKey ? 'Mod+' : '') +
    (altKey ? 'Alt+' : '') +
    (key.length === 1 && (ctrlKey || metaKey) ? key.toLowerCase() : key)
  )
}

export function isInput(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName) || target.closest('dialog') !== null)
  )
}

function isMove({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (key === 'j' || key === 'k') && !ctrlKey && !metaKey && !altKey
}

function passToList(event: KeyboardEvent): void {
  const list = surfaceRoot().querySelector<HTMLElement>('#view [data-list], #view [data-row][tabindex="0"]')
  if (!list || list.contains(focusedElement() ?? null)) return
  event.preventDefault()
  list.focus()
  if (list.hasAttribute('data-list'))
    list.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }))
}

export interface Action {
  readonly id: string
  readonly title: string
  readonly keywords?: string
  readonly keys?: string | undefined
  readonly run: () => unknown
}

export const actions = signal<ReadonlyMap<string, Action>>(new Map())

export function registerAction(action: Action): () => void {
  actions.value = new Map(actions.peek()).set(action.id, action)
  return () => {
    actions.value = new Map([...actions.peek()].filter(([, other]) => other !== action))
  }
}

export function useActions(list: readonly Action[], inputs: readonly unknown[] = []): void {
  useRegistered(registerAction, list, inputs)
}

export function findActions(all: Iterable<Action>, search: string): Action[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...all].filter(({ title, keywords = '' }) => {
    const text = `${title} ${keywords}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (words.length === 0) return found
  const rank = ({ title }: Action) => {
    const index = title.toLowerCase().indexOf(words[0]!)
    return index < 0 ? 1_000 : index
  }
  return found.sort((one, other) => rank(one) - rank(other) || one.title.length - other.title.length)
}
