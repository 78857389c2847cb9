import type { CoreJournal } from '../../core/journal/journal.ts'
import type { JournalPart } from '../../core/journal/part.ts'

const rejectundefined = (): never => {
  throw new Error(
    "Failed to read the journal: this Greenhouse keeps none. Import { journal } from 'greenhouse-mock/journal' and pass it: createGreenhouse({ journal: journal() }).",
  )
}

const noopJournal = new Proxy(
  { write: () => undefined, end: () => undefined, lastId: 0 },
  { get: (own, name) => (Object.hasOwn(own, name) ? own[name as keyof typeof own] : rejectundefined()) },
) as unknown as CoreJournal

export const noJournal: JournalPart = {
  part: 'journal',
  open: () => () => noopJournal,
  get toEntry() {
    return rejectundefined()
  },
  toShownUrl: rejectundefined,
  // Only the sender of a request reads the message.
  redact: (text) => text,
}
