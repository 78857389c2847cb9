import type { Limiter } from '../accounts/rate-limit.ts'
import type { ChanceState } from '../time/random.ts'
import type { ClockState } from '../time/world-clock.ts'
import type { PastPoint } from './changes.ts'
import type { Idempotency } from './idempotency.ts'
import type { SavedData } from './world-data.ts'
import type { SavedScenarios } from './world-scenarios.ts'

/** The state of a world but for its journal. Costs nothing until the world's next write. */
export interface Snapshot {
  readonly data: SavedData
  readonly chance: ChanceState
  readonly clock: ClockState
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly scenarios: SavedScenarios
  /** A new object after each reset. */
  readonly origin: object
  /** The size of a copy, although it shares the records that were not written since. */
  readonly bytes: number
}

/** A change of the world by its owner that can be taken back. */
export interface KeptChange {
  /** The name by which the state before the change can be restored, like that of a snapshot. */
  readonly id: string
  readonly before: Snapshot
  /** The state that the change led to: from any other, it is not taken back. */
  readonly after: Snapshot
  /** The snapshots that it deleted, if it was a reset. */
  readonly deleted: NamedSnapshots | undefined
  /** Where the change stands in the history of the world. */
  readonly point: PastPoint | undefined
}

export type NamedSnapshots = ReadonlyMap<string, Snapshot>

/** The most changes of a world that are kept to be taken back. */
export const maxKeptChanges = 20
