import { toJson } from '../core/http/json.ts'
import { toEntry } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import type { Journal } from '../greenhouse/journal.ts'
import type { EventFeed, FeedEvent } from './feed.ts'

/** The newest entry as an event, shared by all readers while there are any. */
let newest: { readonly note: JournalRecord; readonly leftAt: number; readonly event: FeedEvent } | undefined
let readers = 0

/** Streams every new entry of a journal, until the journal ends. */
export function toJournalFeed(journal: Journal): EventFeed {
  return {
    subscribe(listener) {
      const unsubscribe = journal.observe((note) => listener(note && toEvent(note)))
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

function toEvent(note: JournalRecord): FeedEvent {
  const { leftAt } = note
  if (newest?.note !== note || newest.leftAt !== leftAt)
    newest = { note, leftAt, event: { data: toJson(toEntry(note)) } }
  return newest.event
}
