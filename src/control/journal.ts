import { toHar } from '../core/har.ts'
import type { JournalEntry } from '../core/journal.ts'
import { quote } from '../core/quote.ts'
import { suggest } from '../core/suggest.ts'
import { version } from '../../package.json'
import { check, invalid } from './body.ts'
import type { Call } from './call.ts'
import { journalQuerySchema } from './schemas.ts'

/** The entries that the query asks for, oldest first. @throws ControlError, EvictedError */
export function showJournal(call: Call): JournalEntry[] {
  const { operation, status, limit } = check(journalQuerySchema, call.query)
  const known = call.greenhouse.operations().map(({ id }) => id)
  // A slip in the name must not read as "it was never called".
  if (operation !== undefined && !known.includes(operation)) throw invalid(`There is no operation ${quote(operation)}.${suggest(operation, known)}`)
  return call.world.journal.calls({
    operation,
    status: status === undefined ? undefined : Number(status),
    limit: limit === undefined ? undefined : Number(limit),
  })
}

/** The whole journal as an HTTP Archive. */
export function showHar(call: Call) {
  return toHar(call.world.journal.calls(), { origin: call.origin, version })
}
