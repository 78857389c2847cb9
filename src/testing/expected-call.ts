import type { JournalQuery } from '../greenhouse/journal.ts'

/** How often a request is expected: a number, or a range that includes both bounds. */
export type Times = number | { readonly min?: number | undefined; readonly max?: number | undefined }

/** A request that a world should have received. It must match every given field. */
export type ExpectedCall = Omit<JournalQuery, 'limit' | 'violations'>

/** An expected request, and how often it is expected. */
export interface ExpectedCalls extends ExpectedCall {
  /** How often: `2`, `{ min: 1, max: 3 }` or `0`. At least once by default. */
  readonly times?: Times | undefined
}
