import { toHarEntry, toHarFrame } from '../core/journal/har.ts'
import { toEntry, type JournalEntry } from '../core/journal/journal-entry.ts'
import { monotonicNow } from '../core/time/clock.ts'
import { toDurations, type JournalRecord } from '../core/journal/journal-record.ts'
import { toJson } from '../core/http/json.ts'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { version } from '../../package.json'
import { check, invalid } from './body.ts'
import type { Call } from './call.ts'
import type { Part } from './answer.ts'
import { journalQuerySchema } from './schemas.ts'

/** The current entries that match the query, oldest first, as JSON text in parts. @throws ControlError, EvictedError */
export function showJournal(call: Call): Iterable<Part> {
  const { operation, status, limit, violations } = check(journalQuerySchema, call.query)
  const known: string[] = call.greenhouse.operations().map(({ id }) => id)
  // A slip in the name must not read as "it was never called".
  if (operation !== undefined && !known.includes(operation))
    throw invalid(`There is no operation ${quote(operation)}.${suggest(operation, known)}`)
  const notes = call.world.journal.notes({
    operation,
    status: status === undefined ? undefined : Number(status),
    limit: limit === undefined ? undefined : Number(limit),
    violations: violations === undefined ? undefined : violations === 'true',
  })
  return toParts(notes, ['{"data":[', ']}'], (entry) => toJson(entry))
}

/** The whole journal as an HTTP Archive, in parts. @throws EvictedError */
export function showHar(call: Call): Iterable<Part> {
  const { origin } = call
  return toParts(call.world.journal.notes(), toHarFrame(version), (entry, note) =>
    JSON.stringify(toHarEntry(entry, origin, toDurations(note, monotonicNow()).wait)),
  )
}

/** Makes entries one by one: all at once would delay every other request. */
function* toParts(
  notes: readonly JournalRecord[],
  [before, after]: readonly [before: string, after: string],
  toText: (entry: JournalEntry, note: JournalRecord) => string,
): Generator<Part> {
  yield [before, 0]
  let separator = ''
  for (const note of notes) {
    yield [separator + toText(toEntry(note), note), note.bytes]
    separator = ','
  }
  yield [after, 0]
}
