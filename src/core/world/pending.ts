import type { CollectionDefinition } from '../store/collection.ts'
import type { DueNote, DueWork } from '../time/due-work.ts'
import type { World } from './world.ts'

/** Work that records of a collection cause without a request: a pending purchase settles. */
export interface PendingWork {
  readonly collection: CollectionDefinition<never>
  /** Whether a record may cause work: most records that a world starts with can be skipped. */
  isWaiting(values: { readonly status?: string; readonly state?: string }): boolean
  /** Whether a world does it at all; without this it does. */
  applies?(world: World): boolean
  /** When something of a record falls due, in milliseconds since 1970; `undefined` where nothing does. */
  dueAt(record: never): number | undefined
  /** Does it. The record is as it was when it fell due. */
  finish(world: World, record: never, at: number): void
  /** What it is, for people. */
  describe(record: never): DueNote
}

/** Declares what a collection's records leave to be done. */
export function definePendingWork<T extends object>(work: {
  readonly collection: CollectionDefinition<T>
  isWaiting: PendingWork['isWaiting']
  applies?: PendingWork['applies']
  dueAt(record: Readonly<T>): number | undefined
  finish(world: World, record: Readonly<T>, at: number): void
  describe(record: Readonly<T>): DueNote
}): PendingWork {
  return work as unknown as PendingWork
}

/** A record of which something falls due. */
interface PendingRecord {
  readonly work: PendingWork
  readonly key: string | number | bigint
  readonly at: number
}

/** What falls due of records, soonest first. */
export type Pending = readonly PendingRecord[]

/** What falls due of the records of several collections, soonest first. @param recordsOf gives those that are waiting. */
export function findPending(
  kinds: readonly PendingWork[],
  recordsOf: (work: PendingWork) => readonly object[],
): Pending {
  const found = kinds.flatMap((work) =>
    (recordsOf(work) as readonly never[]).flatMap((record) => {
      const at = work.dueAt(record)
      return at === undefined ? [] : [{ work, key: work.collection.key(record), at }]
    }),
  )
  return found.sort((one, other) => one.at - other.at)
}

/**
 * Sees to it that what given records leave to be done is done: those that a world starts with, or that were put in the place of
 * others. A request sees to its own. Only the next one is on the clock, since there may be many worlds.
 */
export function awaitPending(world: World, pending: Pending, place = 0): void {
  const next = pending[place]
  if (!next) return
  world.schedule(
    next.at,
    () => {
      awaitPending(world, pending, place + 1)
      const record = stillWaiting(world, next)
      if (record) next.work.finish(world, record, next.at)
    },
    () => describeFrom(world, pending, place),
  )
}

/** The record, unless it was changed, or done, by a request. */
function stillWaiting(world: World, { work, key, at }: PendingRecord): never | undefined {
  const record = world.collection(work.collection).get(key)
  return record && work.dueAt(record) === at && work.applies?.(world) !== false ? record : undefined
}

function* describeFrom(world: World, pending: Pending, first: number): Generator<DueWork> {
  for (let place = first; place < pending.length; place++) {
    const next = pending[place]!
    const record = stillWaiting(world, next)
    if (record) yield { at: next.at, ...next.work.describe(record) }
  }
}
