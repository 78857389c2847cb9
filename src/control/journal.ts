import { toClientUrl } from '../core/http/urls.ts'
import { toHarEntry, toHarFrame } from '../core/journal/har.ts'
import type { RecordQuery } from '../core/journal/journal.ts'
import { toEntry, toSearchText, type JournalEntry } from '../core/journal/journal-entry.ts'
import { monotonicNow } from '../core/time/clock.ts'
import { toDurations, toFired, type JournalRecord } from '../core/journal/journal-record.ts'
import { toJson } from '../core/http/json.ts'
import { quote, suggest } from '../core/text/messages.ts'
import { nextTurn } from '../core/time/system-time.ts'
import type { Journal } from '../api/journal.ts'
import { version } from '../../package.json'
import { check, invalid } from './body.ts'
import type { Call } from './call.ts'
import type { Chunk } from './answer.ts'
import { ControlError } from './errors.ts'
import { identityOfJournal } from './identity.ts'
import { createRequestTest, splitRequestFields, type RequestTest } from './request-fields.ts'
import { journalQuerySchema } from './schemas.ts'

export async function showJournal(call: Call): Promise<Iterable<Chunk>> {
  const { journal } = call.world
  const { search, violations, isRequest, ...query } = readQuery(call)
  const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const tests: RecordTest[] = []
  const unclear: number[] = []
  if (violations !== undefined) tests.push((record) => record.journal.validate(record).length > 0 === violations)
  if (words.length > 0) tests.push((record) => hasWords(record, words))
  if (isRequest)
    tests.push((record) => {
      const { differences, isUndecided } = isRequest(toEntry(record), record)
      if (isUndecided) unclear.push(record.id)
      return differences.length === 0 && !isUndecided
    })
  const records = tests.length === 0 ? journal.records(query) : await findInTurns(journal, tests, query)
  if (records.length === 0 && unclear.length > 0) journal.throwEvicted(unclear[0]!)
  const facts = {
    journal: identityOfJournal(call.greenhouse, journal),
    size: journal.size,
    evicted: journal.evicted,
    unrecorded: call.greenhouse.unrecorded,
  }
  return toChunks(records, ['{"data":[', `],${toJson(facts).slice(1)}`], (entry) => toJson(entry))
}

export function findEntry(call: Call): JournalRecord {
  const { journal, name } = call.world
  const id = call.param('id')
  // Ids begin with 1.
  const number = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const record = journal.record(number)
  if (record) return record
  const isGone = number > 0 && number <= journal.lastId
  throw new ControlError(
    404,
    'unknown_entry',
    isGone
      ? `The journal of the world "${name}" no longer has the entry ${id}: it was dropped to make room for newer entries, or the journal was cleared.`
      : `The journal of the world "${name}" has no entry ${quote(id)}.`,
  )
}

interface Query extends RecordQuery {
  readonly search: string | undefined
  readonly isRequest: RequestTest | undefined
}

function readQuery(call: Call): Query {
  const [fields, others] = splitRequestFields(call.query, Object.keys(journalQuerySchema.shape))
  const { operation, status, limit, violations, errors, scenario, search, before } = check(journalQuerySchema, others)
  const known: string[] = call.greenhouse.operations().map(({ id }) => id)
  // A typo in the name must not read as "it was never called".
  if (operation !== undefined && !known.includes(operation))
    throw invalid(`There is no operation ${quote(operation)}.${suggest(operation, known)}`)
  const scenarios = scenario === undefined || scenario === '*' ? [] : scenariosOf(call)
  if (scenario !== undefined && scenario !== '*' && !scenarios.includes(scenario))
    throw invalid(`There is no scenario ${quote(scenario)}; * means any scenario.${suggest(scenario, scenarios)}`)
  const ofClass = status?.endsWith('xx') ? Number(status[0]) : undefined
  const isError = errors === undefined ? undefined : errors === 'true'
  try {
    // Does not check the key: a refusal would tell a reader without keys which ones exist.
    call.world.journal.checkCaller({ account: fields['account'] })
  } catch (error) {
    throw invalid((error as Error).message.replace('Failed to call journal.calls(): there', 'There'))
  }
  return {
    operation,
    status: status === undefined || ofClass !== undefined ? undefined : Number(status),
    isStatus: (given) =>
      (ofClass === undefined || Math.floor(given / 100) === ofClass) &&
      (isError === undefined || (given === 0 || given >= 400) === isError),
    limit: toNumber(limit),
    before: toNumber(before),
    violations: violations === undefined ? undefined : violations === 'true',
    accepts:
      scenario === undefined
        ? undefined
        : (record) => (scenario === '*' ? toFired(record).length > 0 : toFired(record).includes(scenario)),
    search,
    isRequest: createRequestTest(fields),
  }
}

function scenariosOf({ greenhouse, world }: Call): string[] {
  const acted = world.journal.records({ before: Infinity }).flatMap(toFired)
  return [...new Set([...world.scenarios, ...acted, ...greenhouse.scenarios().map(({ name }) => name)])]
}

function toNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits)
}

type RecordTest = (record: JournalRecord) => boolean

function hasWords(record: JournalRecord, words: readonly string[]): boolean {
  const text = toSearchText(record).toLowerCase()
  return words.every((word) => text.includes(word))
}

/** How many bytes to search before other requests get a turn, and the fewest that an entry counts as. */
const atOnce = 100_000
const least = 2_000

async function findInTurns(
  journal: Journal,
  tests: readonly RecordTest[],
  query: RecordQuery,
): Promise<JournalRecord[]> {
  const { limit = Infinity, ...others } = query
  const found: JournalRecord[] = []
  let checked = 0
  for (const record of journal.records(others).reverse()) {
    if (found.length >= limit) break
    checked += Math.max(record.bytes, least)
    if (checked > atOnce) {
      checked = 0
      await nextTurn()
    }
    if (tests.every((test) => test(record))) found.push(record)
  }
  if (found.length === 0) journal.assertNotEvicted(query)
  return found.reverse()
}

export function showHar(call: Call): Iterable<Chunk> {
  const toUrl = toClientUrl(call.bases)
  return toChunks(call.world.journal.records(), toHarFrame(version), (entry, record) =>
    JSON.stringify(toHarEntry(entry, toUrl, toDurations(record, monotonicNow()).wait)),
  )
}

function* toChunks(
  records: readonly JournalRecord[],
  [before, after]: readonly [before: string, after: string],
  toText: (entry: JournalEntry, record: JournalRecord) => string,
): Generator<Chunk> {
  yield [before, 0]
  let separator = ''
  for (const record of records) {
    yield [separator + toText(toEntry(record), record), record.bytes]
    separator = ','
  }
  yield [after, 0]
}
