import { toJson } from '../core/http/json.ts'
import { toEntry } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import type { Journal } from '../greenhouse/journal.ts'
import type { EventFeed, FeedEvent } from './feed.ts'

/** The newest entry as an event, shared by all current readers. */
let newest: { readonly record: JournalRecord; readonly leftAt: number; readonly event: FeedEvent } | undefined
let readers = 0

export function toJournalFeed(journal: Journal): EventFeed {
  return {
    subscribe(listener) {
      const unsubscribe = journal.observe((record) => listener(record && toEvent(record)))
      let isOpen = true
      readers++
      return () => {
        unsubscribe()
        if (isOpen && --readers === 0) newest = undefined
        isOpen = false
      }
    },
  }
}

function toEvent(record: JournalRecord): FeedEvent {
  const { leftAt } = record
  if (newest?.record !== record || newest.leftAt !== leftAt)
    newest = { record, leftAt, event: { data: toJson(toEntry(record)) } }
  return newest.event
}
