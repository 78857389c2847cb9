import type { ControlEvents, ControlEventType, RecordsEvent } from './types.ts'

/** An event that is sent at the end of this turn, with the state at that time. */
export interface EventDraft {
  readonly type: ControlEventType
  readonly world?: string
  make(): object | undefined
}

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

  get written(): Pick<RecordsEvent, 'id'> {
    return this.#id === undefined ? {} : { id: this.#id }
  }

  make(): ControlEvents['records'] {
    return { world: this.world, collection: this.#collection, change: this.#change, ...this.written }
  }
}
