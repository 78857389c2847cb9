import type { Journal } from '../core/journal/journal.ts'
import type { JournalPart } from '../core/journal/part.ts'

const refuse = (): never => {
  throw new Error(
    "Failed to read the journal: this Greenhouse keeps none. Import { journal } from 'greenhouse-mock/journal' and give it to createGreenhouse: { journal: journal() }.",
  )
}

/** The journal of a Greenhouse without one: requests are answered, and reading the journal explains why it is empty. */
const unkept = new Proxy(
  { write: () => undefined, end: () => undefined },
  { get: (own, name) => (Object.hasOwn(own, name) ? own[name as keyof typeof own] : refuse()) },
) as unknown as Journal

/** The part when no journal was given. */
export const noJournal: JournalPart = {
  part: 'journal',
  open: () => () => unkept,
  get toEntry() {
    return refuse()
  },
  toShownUrl: refuse,
  // Only the sender reads it.
  redactMessage: (text) => text,
  redactText: refuse,
}
