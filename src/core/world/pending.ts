import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { DueNote, DueWork } from '../time/clock.ts'
import type { AreaLifecycle, LiveWorld } from './live-world.ts'

/** Work that records of a collection cause without a request: a pending purchase settles. */
export interface PendingWork<T extends object = object> {
  readonly collection: CollectionDefinition<T>
  isWaiting(values: { readonly status?: string; readonly state?: string }): boolean
  applies?(world: LiveWorld): boolean
  /** The time of a record's work, in milliseconds since 1970; `undefined` without work. */
  dueAt(record: Readonly<T>): number | undefined
  /** The record is unchanged since its work was scheduled. */
  finish(world: LiveWorld, record: Readonly<T>, at: number): void
  describe(record: Readonly<T>): DueNote
}

export function definePendingWork<T extends object>(work: PendingWork<T>): PendingWork<T> {
  return work
}

/** The records that work is about: of the world, or of a scenario. */
interface StoredRecords {
  get(key: RecordKey): object | undefined
}

interface PendingRecord {
  readonly work: PendingWork
  readonly key: RecordKey
  readonly at: number
}

export type Pending = readonly PendingRecord[]

export interface InitialWork {
  /** The time before which nothing is due, so that nobody has to look for it until then. */
  readonly from?: number | undefined
  /** Finds it once for all worlds. */
  find(): Pending
}

export function findPending(
  kinds: readonly PendingWork[],
  recordsOf: (work: PendingWork) => readonly object[],
): Pending {
  const found = kinds.flatMap((work) =>
    recordsOf(work).flatMap((record) => {
      const at = work.dueAt(record)
      if (at === undefined) return []
      return { work, key: work.collection.key(record), at }
    }),
  )
  return found.sort((one, other) => one.at - other.at)
}

/** Does the work of records in worlds. @param source has the work of the first records */
export function createPendingLifecycle(
  all: readonly PendingWork[],
  source: { readonly initialWork: InitialWork },
): AreaLifecycle {
  const kindsOf = (name: string) => all.filter(({ collection }) => collection.name === name)
  const awaitRecords = (
    world: LiveWorld,
    kinds: readonly PendingWork[],
    records: readonly object[],
  ) =>
    awaitPending(
      world,
      findPending(kinds, () => records),
    )
  return {
    begin: (world) => awaitInitialWork(world, source.initialWork),
    // Work that is due at the same time as before the write is scheduled already.
    written(world, name, record, before) {
      const kinds = kindsOf(name).filter(
        ({ dueAt }) => before === undefined || dueAt(before) !== dueAt(record),
      )
      awaitRecords(world, kinds, [record])
    },
    replaced: (world, name, records) => awaitRecords(world, kindsOf(name), records),
  }
}

export function awaitRecord<T extends object>(
  world: LiveWorld,
  work: PendingWork<T>,
  record: Readonly<T>,
  stored?: StoredRecords,
): void {
  const pending = findPending([work], () => [record])
  awaitPending(world, pending, 0, stored)
}

function awaitInitialWork(world: LiveWorld, { from, find }: InitialWork): void {
  if (from === undefined) return awaitPending(world, find())
  world.schedule(
    from,
    () => awaitPending(world, find()),
    () => describeFrom(world, find(), 0, undefined),
  )
}

/** The clock has the next item only, since there may be many worlds. */
function awaitPending(world: LiveWorld, pending: Pending, index = 0, stored?: StoredRecords): void {
  const next = pending[index]
  if (!next) return
  world.schedule(
    next.at,
    () => {
      awaitPending(world, pending, index + 1, stored)
      const record = stillWaiting(world, next, stored)
      if (record) next.work.finish(world, record, next.at)
    },
    () => describeFrom(world, pending, index, stored),
  )
}

function stillWaiting(
  world: LiveWorld,
  { work, key, at }: PendingRecord,
  stored: StoredRecords = world.collection(work.collection),
): object | undefined {
  const record = stored.get(key)
  if (!record || work.dueAt(record) !== at || work.applies?.(world) === false) return undefined
  return record
}

function* describeFrom(
  world: LiveWorld,
  pending: Pending,
  first: number,
  stored: StoredRecords | undefined,
): Generator<DueWork> {
  for (const next of pending.slice(first)) {
    const record = stillWaiting(world, next, stored)
    if (record) yield { at: next.at, ...next.work.describe(record) }
  }
}
