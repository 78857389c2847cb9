import type { JournalQuery, ViolationQuery } from '../api/journal.ts'
import { compareEntries, toShownView } from '../core/journal/comparison.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import { describeCutEntry } from '../core/journal/matching.ts'
import { checkJournalQuery, checkViolationQuery } from '../core/journal/request-query.ts'
import type { CoreJournal } from '../core/journal/journal.ts'
import { violationsIn } from '../core/journal/violation.ts'

export type QueriedJournal = Pick<
  CoreJournal,
  'compare' | 'assertNotEvicted' | 'throwEvicted' | 'violations' | 'size' | 'evicted'
>

interface Page {
  readonly data: readonly JournalEntry[]
  readonly size: number
  readonly evicted: number
}

/** The journal of `greenhouse-mock/client`. */
export interface ServerJournal {
  load(): Promise<{ readonly page: Page; readonly operations: readonly string[] }>
  assertNotEvicted(query: JournalQuery, page: Page): Promise<void>
}

/** Loads a journal and checks it. Where the check depends on what was dropped, asks the server, and checks again. */
export async function checkLoaded<Result>(
  journal: ServerJournal,
  check: (journal: QueriedJournal) => Result,
): Promise<Result> {
  const { page, operations } = await journal.load()
  const asked = new Set<string>()
  let undecided: JournalQuery | undefined
  const loaded: QueriedJournal = {
    size: page.size,
    evicted: page.evicted,
    compare(query, matcher, max) {
      checkJournalQuery(query, { operations }, matcher)
      const entries = page.data.map((entry) => ({
        id: entry.id,
        view: toShownView(entry),
        toEntry: () => entry,
        secretFinders: () => [],
      }))
      return compareEntries(entries, query, max)
    },
    violations(query: ViolationQuery = {}) {
      checkViolationQuery(query, { operations })
      const { operation, ignore } = query
      const entries = page.data.filter((entry) => operation === undefined || entry.operation === operation)
      const found = entries.flatMap((entry) => violationsIn(entry, ignore))
      if (found.length === 0) loaded.assertNotEvicted({ operation })
      return found
    },
    assertNotEvicted({ operation, status }) {
      if (page.evicted === 0 || asked.has(`${operation} ${status}`)) return
      undecided = { operation, status } as JournalQuery
      throw new Error('The server has to be asked.')
    },
    throwEvicted(id) {
      throw new Error(describeCutEntry(id))
    },
  }
  for (;;)
    try {
      return check(loaded)
    } catch (error) {
      if (!undecided) throw error
      await journal.assertNotEvicted(undecided, page)
      asked.add(`${undecided.operation} ${undecided.status}`)
      undecided = undefined
    }
}
