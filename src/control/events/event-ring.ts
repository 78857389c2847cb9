import { textWeight } from '../../core/store/weight.ts'
import type { FeedEvent } from '../feed.ts'

/** A stored event: its number, and the fields that readers filter by. */
export interface KeptEvent extends FeedEvent {
  readonly number: number
  /** Its world; absent if it concerns none. */
  readonly world: string | undefined
}

/** The bytes of an event without its data. */
const eventWeight = 250

/** The newest events, bounded in bytes. */
export class EventRing {
  readonly #limit: number
  #events: KeptEvent[] = []
  /** Their estimated memory, in bytes. */
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(event: KeptEvent): void {
    this.#events.push(event)
    this.#bytes += weigh(event)
    let gone = 0
    while (this.#bytes > this.#limit) this.#bytes -= weigh(this.#events[gone++]!)
    if (gone > 0) this.#events.splice(0, gone)
  }

  /** Returns the events after a number; `undefined` if one of them is gone. @param last the number of the newest event so far. */
  after(number: number, last: number): readonly KeptEvent[] | undefined {
    if (number >= last) return number === last ? [] : undefined
    const [first] = this.#events
    return first && first.number <= number + 1 ? this.#events.slice(number + 1 - first.number) : undefined
  }
}

function weigh({ data }: KeptEvent): number {
  return eventWeight + textWeight(data)
}
