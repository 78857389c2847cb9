import type { CollectionDefinition } from './collection.ts'
import type { Exchange } from './exchange.ts'
import type { RecordIndex } from './record-index.ts'
import type { World } from './world.ts'

/** What the records of a collection leave to be done when nobody asks: a purchase that is pending settles. */
export interface PendingWork {
  readonly collection: CollectionDefinition<never>
  /** When something of a record falls due, in milliseconds since 1970; `undefined` where nothing does. */
  dueAt(record: never): number | undefined
  /** Does it. The record is as it was when it fell due. */
  finish(world: World, record: never, at: number): Promise<void>
}

/** Declares what a collection's records leave to be done. */
export function definePendingWork<T extends object>(work: {
  readonly collection: CollectionDefinition<T>
  dueAt(record: Readonly<T>): number | undefined
  finish(world: World, record: Readonly<T>, at: number): Promise<void>
}): PendingWork {
  return work as unknown as PendingWork
}

/** A record of which something falls due. */
interface PendingRecord {
  readonly key: string | number | bigint
  readonly at: number
}

/** What worlds start from is shared, and so is the list of what falls due of it. */
const lists = new WeakMap<object, readonly PendingRecord[]>()

/**
 * Sees to it that what given records leave to be done is done: those that a world starts with, or that were put in the place of
 * others. A request sees to its own. Only the next one is on the clock.
 */
export function awaitPending(world: World, work: PendingWork, index: RecordIndex<never>): void {
  let list = lists.get(index)
  if (!list) {
    const found = index.all().flatMap((record) => {
      const at = work.dueAt(record)
      return at === undefined ? [] : [{ key: work.collection.key(record), at }]
    })
    lists.set(index, (list = found.sort((one, other) => one.at - other.at)))
  }
  awaitNext(world, work, list, 0)
}

function awaitNext(world: World, work: PendingWork, list: readonly PendingRecord[], place: number): void {
  const next = list[place]
  if (!next) return
  world.schedule(next.at, async () => {
    awaitNext(world, work, list, place + 1)
    const record = world.collection(work.collection).get(next.key)
    // It may have been changed, or done, by a request.
    if (record && work.dueAt(record) === next.at) await work.finish(world, record, next.at)
  })
}

/** A world as an operation sees it where no request asks: its own records and assumptions. */
export function unasked(world: World): Pick<Exchange, 'world' | 'collection' | 'assume'> {
  return {
    world,
    collection: (definition) => world.collection(definition),
    assume: (_assumptions, id) => world.overlay.assumptions.get(id)!,
  }
}
