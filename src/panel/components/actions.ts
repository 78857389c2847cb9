import { signal, type ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export interface Action {
  readonly id: string
  readonly title: string
  readonly keywords?: string
  readonly keys?: string
  readonly run: () => unknown
}

const registered = signal<ReadonlyMap<string, Action>>(new Map())

export const actions: ReadonlySignal<ReadonlyMap<string, Action>> = registered

export function registerAction(action: Action): () => void {
  registered.value = new Map(registered.peek()).set(action.id, action)
  return () => {
    if (registered.peek().get(action.id) !== action) return
    const rest = new Map(registered.peek())
    rest.delete(action.id)
    registered.value = rest
  }
}

export function useActions(list: readonly Action[], inputs: readonly unknown[] = []): void {
  useEffect(() => {
    const ends = list.map(registerAction)
    return () => ends.forEach((end) => end())
  }, inputs)
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
