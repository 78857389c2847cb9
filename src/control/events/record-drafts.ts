import type { ControlEvents, ControlEventType, RecordsEvent } from './types.ts'

/** An event that is sent at the end of this turn, with the state at that time. */
export interface EventDraft {
  readonly type: ControlEventType
  readonly world?: string
  /** Returns its data; `undefined` if its subject no longer exists. */
  make(): object | undefined
}

/** The event that records of a collection were written. Several writes become one event. */
export class RecordsDraft implements EventDraft {
  readonly type = 'records'
  readonly world: string
  readonly #collection: string
  #change: RecordsEvent['change']
  #id: RecordsEvent['id']

  constructor(world: string, collection: string, change: RecordsEvent['change'], id: RecordsEvent['id']) {
    this.world = world
    this.#collection = collection
    this.#change = change
    this.#id = id
  }

  merge(change: RecordsEvent['change'], id: RecordsEvent['id']): void {
    if (this.#change !== change) this.#change = 'changed'
    if (this.#id !== id) this.#id = undefined
  }

  /** The id of the record, if all writes were of the same one. */
  get written(): Pick<RecordsEvent, 'id'> {
    return this.#id === undefined ? {} : { id: this.#id }
  }

  make(): ControlEvents['records'] {
    return { world: this.world, collection: this.#collection, change: this.#change, ...this.written }
  }
}
