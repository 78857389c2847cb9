import type { DueWork } from './due-work.ts'

/** A task for a time of the clock, in milliseconds since 1970. */
export interface ScheduledTask {
  readonly at: number
  readonly work: () => void
  /** Describes this task and the work that follows, soonest first; nothing if no work is left. */
  readonly about: () => Iterable<DueWork>
}

interface Entry extends ScheduledTask {
  /** The order of insertion: of two tasks at the same time, the earlier one runs first. */
  readonly order: number
  /** The index in the heap; -1 when removed. */
  index: number
}

export class DueQueue {
  readonly #heap: Entry[] = []
  #next = 0

  get nextAt(): number | undefined {
    return this.#heap[0]?.at
  }

  add({ at, work, about }: ScheduledTask): () => void {
    const entry: Entry = { at, work, about, order: this.#next++, index: this.#heap.length }
    this.#heap.push(entry)
    this.#rise(entry)
    return () => this.#remove(entry)
  }

  shift(): ScheduledTask | undefined {
    const first = this.#heap[0]
    if (first) this.#remove(first)
    return first
  }

  list(): ScheduledTask[] {
    return this.#heap.toSorted(compare).map(({ at, work, about }) => ({ at, work, about }))
  }

  /** Describes the tasks lazily, soonest first, so the first few of very many are cheap. */
  *soonest(): Generator<DueWork, void> {
    const ahead = new DueQueue()
    let found: DueWork | undefined
    const open = (index: number) => {
      const entry = this.#heap[index]
      if (!entry) return
      ahead.#plan(entry.at, () => {
        open(2 * index + 1)
        open(2 * index + 2)
        follow(entry.about()[Symbol.iterator]())
      })
    }
    const follow = (works: Iterator<DueWork>) => {
      const { value, done } = works.next()
      if (done) return
      ahead.#plan(value.at, () => {
        found = value
        follow(works)
      })
    }
    open(0)
    for (let next = ahead.shift(); next; next = ahead.shift()) {
      next.work()
      if (found) yield found
      found = undefined
    }
  }

  replace(due: readonly ScheduledTask[]): void {
    for (const entry of this.#heap) entry.index = -1
    this.#heap.length = 0
    for (const one of due) this.add(one)
  }

  #plan(at: number, work: () => void): void {
    this.add({ at, work, about: nothing })
  }

  #remove(entry: Entry): void {
    if (entry.index < 0) return
    const { index } = entry
    const last = this.#heap.pop()!
    entry.index = -1
    if (last === entry) return
    this.#put(last, index)
    this.#rise(last)
    this.#sink(last)
  }

  #rise(entry: Entry): void {
    while (entry.index > 0) {
      const above = this.#heap[(entry.index - 1) >> 1]!
      if (compare(above, entry) <= 0) return
      const { index } = above
      this.#put(above, entry.index)
      this.#put(entry, index)
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const left = this.#heap[2 * entry.index + 1]
      const right = this.#heap[2 * entry.index + 2]
      const below = left && right && compare(right, left) < 0 ? right : left
      if (!below || compare(entry, below) <= 0) return
      const { index } = below
      this.#put(below, entry.index)
      this.#put(entry, index)
    }
  }

  #put(entry: Entry, index: number): void {
    this.#heap[index] = entry
    entry.index = index
  }
}

const nothing = () => []

function compare(one: Entry, other: Entry): number {
  return one.at - other.at || one.order - other.order
}
