import { textWeight } from '../../core/store/weight.ts'
import type { FeedEvent } from '../feed.ts'

export interface KeptEvent extends FeedEvent {
  readonly number: number
  readonly world: string | undefined
}

const eventWeight = 250

export class EventRing {
  readonly #limit: number
  #events: KeptEvent[] = []
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

  after(number: number, last: number): readonly KeptEvent[] | undefined {
    if (number >= last) return number === last ? [] : undefined
    const [first] = this.#events
    return first && first.number <= number + 1 ? this.#events.slice(number + 1 - first.number) : undefined
  }
}

function weigh({ data }: KeptEvent): number {
  return eventWeight + textWeight(data)
}
