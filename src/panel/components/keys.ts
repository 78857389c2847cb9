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
    } else if (!isTyping && /^[jk]$/.test(pressed)) passToList(event)
  }
  node.addEventListener('keydown', listener)
  return () => node.removeEventListener('keydown', listener)
}

function toText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const isMod = ctrlKey || metaKey
  return (isMod ? 'Mod+' : '') + (altKey ? 'Alt+' : '') + (key.length === 1 && isMod ? key.toLowerCase() : key)
}

export function isInput(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName) || target.closest('dialog') !== null)
  )
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

export interface Action {
  readonly id: string
  readonly title: string
  /** Other words for it. The palette finds it by them, as by the words of the title. */
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

function useRegistered<T>(register: (one: T) => () => void, list: readonly T[], inputs: readonly unknown[]): void {
  useEffect(() => {
    const ends = list.map(register)
    return () => ends.forEach((end) => end())
  }, inputs)
}

/** Finds actions of which every typed word starts a word of the title or of the keywords, the best match first. */
export function findActions(all: Iterable<Action>, typed: string): Action[] {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const isIn = (words: string) => text.split(' ').every((word) => startsWord(words.toLowerCase(), word))
  const rank = ({ title, keywords = '' }: Action) => {
    if (title.toLowerCase().startsWith(text)) return 0
    return isIn(title) ? 1 : isIn(`${title} ${keywords}`) ? 2 : 3
  }
  const ranked = [...all].map((action) => ({ action, rank: rank(action) })).filter(({ rank }) => rank < 3)
  return ranked.sort((one, other) => one.rank - other.rank).map(({ action }) => action)
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!)) return true
  return false
}
