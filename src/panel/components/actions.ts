import { signal, type ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export interface Action {
  readonly id: string
  /** `Advance the clock 1 h` */
  readonly title: string
  /** Further words to find it by. */
  readonly keywords?: string
  /** The keyboard shortcut that does the same: `g t`. */
  readonly keys?: string
  readonly run: () => unknown
}

const registered = signal<ReadonlyMap<string, Action>>(new Map())

export const actions: ReadonlySignal<ReadonlyMap<string, Action>> = registered

/** Adds an action, in place of one with the same id. Returns a function that removes it. */
export function registerAction(action: Action): () => void {
  registered.value = new Map(registered.peek()).set(action.id, action)
  return () => {
    if (registered.peek().get(action.id) !== action) return
    const rest = new Map(registered.peek())
    rest.delete(action.id)
    registered.value = rest
  }
}

/** Adds actions while the component is mounted. */
export function useActions(list: readonly Action[], inputs: readonly unknown[] = []): void {
  useEffect(() => {
    const ends = list.map(registerAction)
    return () => ends.forEach((end) => end())
  }, inputs)
}

/** Returns the actions whose title and keywords contain all words of `search`, the earliest match in the title first. */
export function findActions(all: Iterable<Action>, search: string): Action[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...all].filter(({ title, keywords = '' }) => {
    const text = `${title} ${keywords}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (words.length === 0) return found
  const rank = ({ title }: Action) => {
    const place = title.toLowerCase().indexOf(words[0]!)
    return place < 0 ? 1_000 : place
  }
  return found.sort((one, other) => rank(one) - rank(other) || one.title.length - other.title.length)
}
