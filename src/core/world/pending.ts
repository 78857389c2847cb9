import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { DueNote, DueWork } from '../time/clock.ts'
import type { AreaLifecycle, LiveWorld } from './live-world.ts'

/** Work that records of a collection cause without a request: a pending purchase settles. */
export interface PendingWork<T extends object = object> {
  readonly collection: CollectionDefinition<T>
  /** Returns whether a record with these fields waits for the work. */
  isWaiting(values: { readonly status?: string; readonly state?: string }): boolean
  /** Returns whether the work is done in this world; always, if it is absent. */
  applies?(world: LiveWorld): boolean
  /** The time of a record's work, in milliseconds since 1970; `undefined` without work. */
  dueAt(record: Readonly<T>): number | undefined
  /** Does the work. The time at which it is due did not change since it was scheduled. */
  finish(world: LiveWorld, record: Readonly<T>, at: number): void
  describe(record: Readonly<T>): DueNote
}

export function definePendingWork<T extends object>(work: PendingWork<T>): PendingWork<T> {
  return work
}

/** The records that work is about: those of the world, or of a scenario. */
interface StoredRecords {
  get(key: RecordKey): object | undefined
}

interface PendingRecord {
  readonly work: PendingWork
  readonly key: RecordKey
  readonly at: number
}

/** Records with their work, by the time at which it is due. */
export type PendingRecords = readonly PendingRecord[]

/** The work of the records that worlds start with. */
export interface InitialWork {
  /** The time before which nothing is due, so that nobody has to look for it until then. */
  readonly notBefore?: number
  /** Returns the work, which is searched once for all worlds. */
  find(): PendingRecords
}

/** Returns the records that have work of these kinds, the first due first. */
export function findPending(
  kinds: readonly PendingWork[],
  recordsOf: (work: PendingWork) => readonly object[],
): PendingRecords {
  const pending = kinds.flatMap((work) =>
    recordsOf(work).flatMap((record) => {
      const at = work.dueAt(record)
      if (at === undefined) return []
      return {
        work,
        key: work.collection.key(record),
        at,
      }
    }),
  )
  return pending.sort((one, other) => one.at - other.at)
}

/** Schedules the work of records in worlds. @param source has the work of the first records */
export function createPendingLifecycle(
  works: readonly PendingWork[],
  source: { readonly initialWork: InitialWork },
): AreaLifecycle {
  const worksOf = (name: string) => works.filter(({ collection }) => collection.name === name)
  const scheduleRecords = (
    world: LiveWorld,
    kinds: readonly PendingWork[],
    records: readonly object[],
  ) =>
    scheduleNext(
      world,
      findPending(kinds, () => records),
    )
  return {
    begin: (world) => scheduleInitialWork(world, source.initialWork),
    // Work that is due at the same time as before the write is scheduled already.
    written(world, name, record, before) {
      const kinds = worksOf(name).filter(
        ({ dueAt }) => before === undefined || dueAt(before) !== dueAt(record),
      )
      scheduleRecords(world, kinds, [record])
    },
    replaced: (world, name, records) => scheduleRecords(world, worksOf(name), records),
  }
}

/** Schedules the work of one record. @param stored has the record; by default the world */
export function schedulePendingWork<T extends object>(
  world: LiveWorld,
  work: PendingWork<T>,
  record: Readonly<T>,
  stored?: StoredRecords,
): void {
  const pending = findPending([work], () => [record])
  scheduleNext(world, pending, 0, stored)
}

function scheduleInitialWork(world: LiveWorld, { notBefore, find }: InitialWork): void {
  if (notBefore === undefined) return scheduleNext(world, find())
  world.schedule(
    notBefore,
    () => scheduleNext(world, find()),
    () => describeRemaining(world, find(), 0, undefined),
  )
}

/**
 * Schedules the work at an index, which schedules the next: the clock has one item only, since there
 * may be many worlds.
 */
function scheduleNext(
  world: LiveWorld,
  pending: PendingRecords,
  index = 0,
  stored?: StoredRecords,
): void {
  const next = pending[index]
  if (!next) return
  world.schedule(
    next.at,
    () => {
      scheduleNext(world, pending, index + 1, stored)
      const record = findWaiting(world, next, stored)
      if (record) next.work.finish(world, record, next.at)
    },
    () => describeRemaining(world, pending, index, stored),
  )
}

/** Returns the record if it still has the work; `undefined` if it changed or was deleted. */
function findWaiting(
  world: LiveWorld,
  { work, key, at }: PendingRecord,
  stored: StoredRecords = world.collection(work.collection),
): object | undefined {
  const record = stored.get(key)
  if (!record || work.dueAt(record) !== at || work.applies?.(world) === false) return undefined
  return record
}

function* describeRemaining(
  world: LiveWorld,
  pending: PendingRecords,
  first: number,
  stored: StoredRecords | undefined,
): Generator<DueWork> {
  for (const next of pending.slice(first)) {
    const record = findWaiting(world, next, stored)
    if (record)
      yield {
        at: next.at,
        ...next.work.describe(record),
      }
  }
}
