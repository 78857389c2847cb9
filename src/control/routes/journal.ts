import { version } from '../../../package.json'
import type { Journal } from '../../api/journal.ts'
import type { World } from '../../api/world.ts'
import type { CaseQuery } from '../../cases/to-case.ts'
import type { Case } from '../../cases/types.ts'
import { toClientUrl } from '../../core/http/urls.ts'
import { toJson } from '../../core/http/json.ts'
import { markSent, type Reply, toBytes } from '../../core/http/reply.ts'
import type { ServiceRequest } from '../../core/http/request.ts'
import { toHarEntry, toHarFrame } from '../../core/journal/har.ts'
import { type JournalEntry, toEntry, toSearchText } from '../../core/journal/journal-entry.ts'
import { bodyCap, type JournalRecord, toDurations, toFired } from '../../core/journal/journal-record.ts'
import type { RecordQuery } from '../../core/journal/journal.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import { monotonicNow } from '../../core/time/clock.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import { type Chunk, type ChunksAnswer, defineRoutes, done, type EventFeed, type FeedEvent, ok } from '../answer.ts'
import type { EvidenceSummary, Failure } from '../answers.ts'
import { check, invalid } from '../body.ts'
import type { Call } from '../call.ts'
import { ControlError } from '../errors.ts'
import { createRequestTest, splitRequestFields } from '../request-fields.ts'
import { caseQuerySchema, journalQuerySchema } from '../schemas.ts'
import { waitFor } from '../turns.ts'
import { identityOfJournal } from '../views.ts'

/** The work of a request, as if it were this many bytes of text: it is judged. */
const workOfRequest = 4_000

async function showEvidence({ greenhouse, world }: Call): Promise<ChunksAnswer<EvidenceSummary>> {
  const { coverageOf, readEvidenceInSteps } = await import('../../evidence/collect.ts')
  const { sumByOperation, sumOthers } = await import('../../evidence/coverage.ts')
  return { chunks: toChunks() }

  function* toChunks(): Generator<Chunk> {
    const steps = readEvidenceInSteps([world])
    for (;;) {
      const { done, value } = steps.next()
      if (done) {
        const coverage = coverageOf(value, greenhouse)
        const { counts: _, ...sums } = coverage
        const shown: EvidenceSummary = {
          card: value.card,
          coverage: { ...sums, operations: sumByOperation(coverage), others: sumOthers(coverage) },
        }
        return yield [toJson(shown), 0]
      }
      yield ['', workOfRequest]
    }
  }
}

async function showJournal(call: Call): Promise<Iterable<Chunk>> {
  const { journal } = call.world
  const { search, violations, isRequest, ...query } = readQuery(call)
  const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const tests: RecordTest[] = []
  const unclear: number[] = []
  if (violations !== undefined) tests.push((record) => record.journal.validate(record).length > 0 === violations)
  if (words.length > 0)
    tests.push((record) => {
      const text = toSearchText(record).toLowerCase()
      return words.every((word) => text.includes(word))
    })
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
  return toEntryChunks(records, ['{"data":[', `],${toJson(facts).slice(1)}`], (entry) => toJson(entry))
}

function findEntry(call: Call): JournalRecord {
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

function readQuery(call: Call) {
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
    isStatus: (given: number) =>
      (ofClass === undefined || Math.floor(given / 100) === ofClass) &&
      (isError === undefined || (given === 0 || given >= 400) === isError),
    limit: toNumber(limit),
    before: toNumber(before),
    violations: violations === undefined ? undefined : violations === 'true',
    accepts:
      scenario === undefined
        ? undefined
        : (record: JournalRecord) =>
            scenario === '*' ? toFired(record).length > 0 : toFired(record).includes(scenario),
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

function showHar(call: Call): Iterable<Chunk> {
  const toUrl = toClientUrl(call.bases)
  return toEntryChunks(call.world.journal.records(), toHarFrame(version), (entry, record) =>
    JSON.stringify(toHarEntry(entry, toUrl, toDurations(record, monotonicNow()).wait)),
  )
}

function* toEntryChunks(
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

/** The newest entry as an event, shared by all current readers. */
let newest: { readonly record: JournalRecord; readonly leftAt: number; readonly event: FeedEvent } | undefined
let readers = 0

function toJournalFeed(journal: Journal): EventFeed {
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

/** The extra work of a step, as if it were this many bytes of text: its secrets are searched for. */
const workOfStep = 2_000

function showCase(call: Call): ChunksAnswer<Case> {
  const { title, until } = check(caseQuerySchema, call.query)
  if (until !== undefined && !(Number(until) >= 1 && Number(until) <= call.world.journal.lastId))
    throw new ControlError(404, 'unknown_entry', `The journal of the world "${call.world.name}" has no entry ${until}.`)
  return { chunks: toCaseChunks(call.world, { title, until: until === undefined ? undefined : Number(until) }) }
}

function* toCaseChunks(world: World, query: CaseQuery): Generator<Chunk> {
  const { head, steps, end } = world.toCaseInSteps(query)
  let before = `${toJson(head).slice(0, -1)},"steps":[`
  for (const step of steps) {
    const text = toJson(step)
    yield [before + text, text.length + workOfStep]
    before = ','
  }
  yield [`${before === ',' ? '' : before}]${end ? `,"end":${toJson(end)}` : ''}}`, 0]
}

export const journalRoutes = defineRoutes({
  'GET /worlds/{world}/journal': { reads: 'query', handle: async (call) => ({ chunks: await showJournal(call) }) },
  'DELETE /worlds/{world}/journal': (call) => call.change((world) => done(world.journal.clear())),
  'GET /worlds/{world}/journal/{id}': (call) => ok(toEntry(findEntry(call))),
  'POST /worlds/{world}/journal/{id}/replay': async (call) => ({ status: 201, value: await replay(call) }),
  'GET /worlds/{world}/journal.har': (call) => ({ chunks: showHar(call) }),
  'GET /worlds/{world}/evidence': showEvidence,
  'GET /worlds/{world}/case': { reads: 'query', handle: showCase },
  'PUT /worlds/{world}/case': {
    reads: 'body',
    handle: async (call) => (await import('../put-case.ts')).putCase(call),
  },
  'GET /worlds/{world}/journal/stream': ({ world }) => ({ stream: toJournalFeed(world.journal) }),
})

/**
 * Sends a recorded request again, with its key, and returns its new entry: an incomplete one if a scenario delays the reply too
 * long. The reply goes to nobody. @throws ControlError 404 if the entry is gone, 409 if it lacks a part of the request.
 */
async function replay(call: Call): Promise<JournalEntry> {
  const { greenhouse, world } = call
  const controller = new AbortController()
  const request = toRequest(findEntry(call), controller.signal)
  const { journal } = world
  const before = journal.lastId
  // The entry exists by the end of this turn, whenever the reply is sent.
  const answering = greenhouse.handle(request)
  const record = journal.lastId > before ? journal.record(journal.lastId) : undefined
  if (!record) throw rejected(await answering)
  await waitFor(take(answering, controller.signal))
  controller.abort('The reply took too long.')
  return toEntry(record)
}

function toRequest(record: JournalRecord, signal: AbortSignal): ServiceRequest {
  const { id, method, path, search, headers, body, isTooLarge, omitted = [] } = record
  const missing = omitted.filter((part) => part.startsWith('request.'))
  if (missing.length > 0)
    throw notReplayable(id, `it was too large for the journal, which did not keep ${missing.join(', ')}`)
  if (body && body.length > bodyCap)
    throw notReplayable(id, `the journal keeps only the first ${bodyCap} bytes of a body`)
  return { method, path, search, headers, body: isTooLarge ? 'too-large' : (body ?? null), signal }
}

function notReplayable(id: number, why: string): ControlError {
  return new ControlError(
    409,
    'not_replayable',
    `The request ${id} can't be sent again: ${why}. Send it from your client.`,
  )
}

/** Returns the error for a request that reached no world and so has no entry: for example, its scenario no longer exists. */
function rejected({ status, body }: Reply): ControlError {
  const reason = typeof body === 'string' ? (JSON.parse(body) as Partial<Failure>).error?.message : undefined
  return new ControlError(
    409,
    'not_replayable',
    `The request was refused with ${status} before it reached the world. ${reason ?? ''}`.trimEnd(),
  )
}

/** Reads a reply completely, as a client would, so that the journal records what was sent. */
async function take(answering: Reply | Promise<Reply>, signal: AbortSignal): Promise<void> {
  const reply = await answering
  const { body, wire } = reply
  if (signal.aborted || wire?.instead !== undefined) return markSent(reply, 0, true)
  const { cutAt = Infinity, pieces } = wire ?? {}
  if (body === null || !pieces) {
    const length = body === null ? 0 : toBytes(body).length
    return length > cutAt ? markSent(reply, cutAt, true) : markSent(reply)
  }
  let sent = 0
  try {
    for await (const piece of pieces(toBytes(body), signal)) {
      if (signal.aborted) break
      sent = Math.min(cutAt, sent + piece.length)
      if (sent >= cutAt) return markSent(reply, sent, true)
    }
    markSent(reply, sent, signal.aborted)
  } catch {
    // The stream was cut.
    markSent(reply, sent, true)
  }
}
