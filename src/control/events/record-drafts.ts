import type { EventDraft } from './draft.ts'
import type { ControlEvents, RecordsEvent } from './types.ts'

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

  make(): ControlEvents['records'] {
    const id = this.#id
    return {
      world: this.world,
      collection: this.#collection,
      change: this.#change,
      ...(id !== undefined && { id }),
    }
  }
}

/** The event that keys of a world were written. Several writes become one event. */
export class KeysDraft implements EventDraft {
  readonly type = 'keys'
  readonly world: string
  #id: string | undefined

  constructor(world: string, id: string | undefined) {
    this.world = world
    this.#id = id
  }

  merge(id: string | undefined): void {
    if (this.#id !== id) this.#id = undefined
  }

  make(): ControlEvents['keys'] {
    return { world: this.world, ...(this.#id !== undefined && { id: this.#id }) }
  }
}
