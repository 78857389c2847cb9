import { textWeight } from '../../core/store/weight.ts'
import type { FeedEvent } from '../feed.ts'

/** An event as it is kept: numbered, and with what readers select it by. */
export interface KeptEvent extends FeedEvent {
  readonly number: number
  /** Absent when it is about no world. */
  readonly world: string | undefined
}

/** What an event takes besides its data, in bytes. */
const eventWeight = 250

/** The newest events, bounded in bytes. */
export class EventRing {
  readonly #limit: number
  #events: KeptEvent[] = []
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How much they take, in bytes, as far as it can be told. */
  get bytes(): number {
    return this.#bytes
  }

  add(event: KeptEvent): void {
    this.#events.push(event)
    this.#bytes += weigh(event)
    let gone = 0
    while (this.#bytes > this.#limit) this.#bytes -= weigh(this.#events[gone++]!)
    if (gone > 0) this.#events.splice(0, gone)
  }

  /** The events after this number, or `undefined` when one of them is gone. @param last the number of the newest that there was. */
  after(number: number, last: number): readonly KeptEvent[] | undefined {
    if (number >= last) return number === last ? [] : undefined
    const [first] = this.#events
    return first && first.number <= number + 1 ? this.#events.slice(number + 1 - first.number) : undefined
  }
}

function weigh({ data }: KeptEvent): number {
  return eventWeight + textWeight(data)
}
