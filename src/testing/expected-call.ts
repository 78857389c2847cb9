import type { JournalQuery } from '../greenhouse/journal.ts'

/** How often a request is to come: exactly so often, or within bounds, both included. */
export type Times = number | { readonly min?: number | undefined; readonly max?: number | undefined }

/** A request that a world is to have received: every field that is given must hold. */
export type ExpectedCall = Omit<JournalQuery, 'limit' | 'violations'>

/** The same, and how often. */
export interface ExpectedCalls extends ExpectedCall {
  /** How often: `2`, `{ min: 1, max: 3 }`, `0`. At least once by default. */
  readonly times?: Times | undefined
}
