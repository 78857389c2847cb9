import { toHarText } from '../core/har.ts'
import { toEntry, type JournalEntry } from '../core/journal-entry.ts'
import type { Note } from '../core/journal-note.ts'
import { toJson } from '../core/json.ts'
import { suggest } from '../core/suggest.ts'
import { version } from '../../package.json'
import { check, invalid } from './body.ts'
import type { Call } from './call.ts'
import { journalQuerySchema } from './schemas.ts'

/** The entries that the query asks for, oldest first, as JSON text in parts: those that are there now. @throws ControlError, EvictedError */
export function showJournal(call: Call): Iterable<string> {
  const { operation, status, limit } = check(journalQuerySchema, call.query)
  const known = call.greenhouse.operations().map(({ id }) => id)
  // A slip in the name must not read as "it was never called".
  if (operation !== undefined && !known.includes(operation)) throw invalid(`There is no operation "${operation}".${suggest(operation, known)}`)
  return toListText(
    call.world.journal.notes({
      operation,
      status: status === undefined ? undefined : Number(status),
      limit: limit === undefined ? undefined : Number(limit),
    }),
  )
}

/** The whole journal as an HTTP Archive, in parts. @throws EvictedError */
export function showHar(call: Call): Iterable<string> {
  return toHarText(toEntries(call.world.journal.notes()), { origin: call.origin, version })
}

function* toListText(notes: readonly Note[]): Generator<string> {
  yield '{"data":['
  let separator = ''
  for (const entry of toEntries(notes)) {
    yield separator + toJson(entry)
    separator = ','
  }
  yield ']}'
}

/** Each entry is made when it is its turn: all at once would hold up every other request. */
function* toEntries(notes: readonly Note[]): Generator<JournalEntry> {
  for (const note of notes) yield toEntry(note)
}
