import type { SecretFinder } from '../secrets/secret-finder.ts'
import { JournalBudget, type JournalRecord } from './journal-record.ts'
import { toEntry, toShownUrl, type JournalEntry } from './journal-entry.ts'
import { CoreJournal, type JournalKeeper, type JournalOptions } from './journal.ts'
import type { LoggedRequest } from './log-events.ts'
import { redact } from '../secrets/redact.ts'

/** The limits of journals: `entries` and `bytes` for each world, and `memory`, in bytes, for all worlds together. */
export interface JournalMemory {
  entries?: number | undefined
  bytes?: number | undefined
  memory?: number | undefined
}

/** The part that records the requests that worlds receive, without their secrets. */
export interface JournalPart {
  readonly part: 'journal'
  /** Returns a factory for the journals of worlds. @internal */
  open(memory: JournalMemory | undefined, options: Omit<JournalOptions, 'entries' | 'bytes' | 'budget'>): CreateJournal
  /** @internal */
  toEntry(record: JournalRecord): JournalEntry
  /** @internal */
  toShownUrl(request: LoggedRequest, finders: readonly SecretFinder[]): string
  /** @internal */
  redact(text: string, finders?: readonly SecretFinder[], max?: number): string
}

export type CreateJournal = (keeper: JournalKeeper) => CoreJournal

/**
 * Records requests and replies in `world.journal`, for `createGreenhouse` of `greenhouse-mock/core`.
 * @param limits by default 1,000 `entries` and 16 MiB (`bytes`) for each world, and 128 MiB (`memory`) for all worlds together.
 */
export function journal(limits: JournalMemory = {}): JournalPart {
  return {
    part: 'journal',
    open(memory, options) {
      const { entries = 1_000, bytes = 2 ** 24, memory: all = 2 ** 27 } = { ...limits, ...memory }
      const own = { ...options, entries, bytes, budget: new JournalBudget(all) }
      return (keeper) => new CoreJournal(own, keeper)
    },
    toEntry,
    toShownUrl,
    redact,
  }
}
