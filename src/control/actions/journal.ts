import * as z from 'zod/mini'
import { version } from '../../../package.json'
import { toScenarioFile } from '../../replay/scenario-file.ts'
import { toClientUrl } from '../../core/http/urls.ts'
import { toJson } from '../../core/http/json.ts'
import { markSent, type Reply, toBytes } from '../../core/http/reply.ts'
import type { ServiceRequest } from '../../core/http/request.ts'
import { type Har, toHar, toHarEntry } from '../../output/har.ts'
import { toShownView } from '../../core/journal/stored-view.ts'
import { type JournalEntry, toEntry } from '../../core/journal/journal-entry.ts'
import { bodyCap, type JournalRecord, toDurations } from '../../core/journal/journal-record.ts'
import type { LiveJournal } from '../../core/journal/journal.ts'
import type { RecordQuery } from '../../core/journal/kept-entries.ts'
import { typedPrefixes } from '../../core/journal/typed-query.ts'
import { violationRules } from '../../core/journal/violation.ts'
import { Matcher } from '../../core/journal/matching.ts'
import { codeForms } from '../../output/code.ts'
import { quote } from '../../core/text/messages.ts'
import { monotonicNow } from '../../core/time/clock.ts'
import {
  defineAction,
  type Call,
  waitFor,
  conflict,
  type ControlError,
  invalid,
  notFound,
} from '../call.ts'
import type { EventFeed } from '../answer.ts'
import { journalQuery, readRequestQuery } from '../request-fields.ts'
import { type Failure, identityOf, named, schemaOf, worldTime } from '../shapes.ts'
import { anyTexts, anyInteger, anyText, described, optional } from '../../core/contract/zod.ts'

const violation = z.object({
  rule: z.enum(violationRules),
  message: anyText,
})

const nearMiss = z.object({
  operation: anyText,
  method: anyText,
  path: anyText,
  differs: z.enum(['method', 'path']),
})

export const entryFields = {
  id: anyInteger,
  at: worldTime,
  operation: optional(anyText, 'Absent when no operation has the method and path'),
  world: anyText,
  account: optional(anyText, 'The account that the key belongs to'),
  request: z.object({
    method: anyText,
    url: anyText,
    headers: z.record(anyText, anyText),
    body: z.optional(anyText),
  }),
  response: z.object({
    status: described(anyInteger, '0 when the connection ended without a reply'),
    headers: z.record(anyText, anyText),
    repeated: optional(
      z.record(anyText, anyTexts),
      'Headers that were sent more than once, each value',
    ),
    body: z.optional(anyText),
  }),
  bytes: optional(anyInteger, "How many bytes of the reply's body were sent"),
  aborted: optional(z.literal(true), 'The reply ended early'),
  pending: optional(z.literal(true), 'The reply is still being sent, or delayed by a scenario'),
  reason: optional(
    anyText,
    'One sentence that explains an error, or how a scenario changed the reply',
  ),
  scenarios: described(anyTexts, 'The scenarios that changed the reply'),
  verdicts: z.optional(
    z.array(
      z.object({
        scenario: anyText,
        effect: anyText,
        fired: z.boolean(),
        why: anyText,
      }),
    ),
  ),
  assumptions: described(anyTexts, 'The assumptions that the reply depends on'),
  violations: optional(z.array(violation), 'How the request breaks the contract'),
  reply_violations: optional(anyTexts, 'How the reply of a real service breaks the contract'),
  near_misses: optional(
    z.array(nearMiss),
    'The operations closest to the request, when no operation matched',
  ),
  cut: z.optional(anyTexts),
  ms: described(z.number(), 'Milliseconds until the reply was sent, delays included'),
}

const journalEntry = schemaOf<JournalEntry>(named('JournalEntry', entryFields))

export const journalActions = [
  defineAction('journal.list', 'GET /worlds/{world}/journal', {
    title: 'List requests and replies',
    description:
      'The newest entries, in time order, or those that a query selects. Also by fields of requests: method, path, key, account, header.NAME, query.NAME and body.FIELD; * is any value, null a missing one.',
    input: journalQuery,
    prefixes: typedPrefixes,
    output: z.object({
      data: z.array(journalEntry),
      journal: described(
        anyText,
        'Identifies the journal: after a restart of the world or the server, ids begin with 1 again',
      ),
      size: anyInteger,
      evicted: described(anyInteger, 'How many entries were dropped to make room'),
      unrecorded: described(
        z.record(anyText, anyInteger),
        'How many requests are in the journal of no world, by kind: foreign_host, preflight',
      ),
    }),
    run: showJournal,
  }),
  defineAction('journal.clear', 'DELETE /worlds/{world}/journal', {
    title: 'Clear the journal',
    description: 'Removes all entries. Ids continue from the last one.',
    destructive: true,
    run: ({ world }) => world.journal.clear(),
  }),
  defineAction('journal.read', 'GET /worlds/{world}/journal/{id}', {
    title: 'Show a request and its reply',
    description:
      'The entry has the reason of the reply, what each scenario did, and how the request breaks the contract.',
    output: journalEntry,
    run: (call) => toEntry(findEntry(call)),
  }),
  defineAction('journal.replay', 'POST /worlds/{world}/journal/{id}/replay', {
    title: 'Send a request again',
    description:
      'It is sent with its key. The new entry is incomplete if a scenario delays the reply too long.',
    needsWorld: true,
    output: journalEntry,
    status: 201,
    run: replay,
  }),
  defineAction('journal.code', 'GET /worlds/{world}/journal/{id}/code', {
    title: 'Copy a request as code',
    description:
      "As a command, or as a test, which sends it in its world's start and scenarios, after the steps that matter, and expects its reply. Or as a scenario file that gives the reply again.",
    input: z.strictObject({ as: z.enum([...codeForms, 'scenario']) }),
    output: z.object({
      text: anyText,
      notes: described(anyTexts, 'What the code cannot know; a test has them in its first lines'),
    }),
    async run(call, { as }) {
      if (as === 'scenario') {
        const entry = toEntry(findEntry(call))
        const isCut = entry.cut?.includes('response.body')
        return {
          text: toScenarioFile(entry),
          notes: isCut ? ['The journal has only a part of the body: complete it.'] : [],
        }
      }
      const { toRequestCode } = await import('../../replay/request-code.ts')
      return toRequestCode(call, findEntry(call), as)
    },
  }),
  defineAction('journal.archive', 'GET /worlds/{world}/journal.har', {
    title: 'Export the journal as HAR',
    description: 'Answers an HTTP Archive 1.2, which the developer tools of browsers open.',
    output: schemaOf<Har>(
      z.object({
        log: z.object({
          version: z.literal('1.2'),
          creator: z.object({
            name: anyText,
            version: anyText,
          }),
          entries: z.array(z.looseObject({ startedDateTime: worldTime })),
        }),
      }),
    ),
    run: showHar,
  }),
  defineAction('journal.follow', 'GET /worlds/{world}/journal/stream', {
    title: 'Follow requests and replies',
    commands: 'log --follow',
    description:
      'A server-sent event for each entry when its reply was sent; for a delayed reply or a stream also before, with `pending`. It ends when the world is reset or deleted.',
    events: { message: journalEntry },
    output: journalEntry,
    run:
      ({ journal }): EventFeed =>
      (listener) =>
        journal.observe((record) => listener(record && { data: toJson(toEntry(record)) })),
  }),
] as const

function showJournal(call: Call, { limit, before, ...typed }: z.infer<typeof journalQuery>) {
  const { journal } = call
  const query = readRequestQuery(typed)
  journal.assertScenario(query)
  // Does not look for the key: a refusal would show a reader without keys which ones exist.
  const missing = journal.findMissing({
    ...query,
    key: undefined,
  })
  if (missing !== undefined) throw invalid(missing.replace(/^there/, 'There'))
  const records = queryRecords(journal, {
    ...query,
    limit,
    before,
  })
  return {
    data: records.map(toEntry),
    journal: identityOf(journal, `${identityOf(call.greenhouse)}.`),
    size: journal.size,
    evicted: journal.evicted,
    unrecorded: call.greenhouse.requests.unrecorded,
  }
}

function findEntry(call: Call): JournalRecord {
  const { journal, world } = call
  const id = call.param('id')
  // Ids begin with 1.
  const number = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const record = journal.get(number)
  if (record) return record
  const isGone = number > 0 && number <= journal.lastId
  throw notFound(
    'entry',
    isGone
      ? `The journal of the world "${world.name}" no longer has the entry ${id}: it was dropped to make room, or the journal was cleared.`
      : `The journal of the world "${world.name}" has no entry ${quote(id)}.`,
  )
}

/** Compares the public form of a request, so that no reader learns a secret. */
function queryRecords(
  journal: LiveJournal,
  { limit = Infinity, ...query }: RecordQuery,
): JournalRecord[] {
  const { operation, status, errors, violations, scenario, search, before, ...request } = query
  const outline = {
    operation,
    status,
    errors,
    violations,
    scenario,
    search,
    before,
  }
  if (Object.keys(request).length === 0) return journal.records({ ...outline, limit })
  const matcher = new Matcher(request)
  const found: JournalRecord[] = []
  let undecided: JournalRecord | undefined
  for (const record of journal.records(outline).reverse()) {
    if (found.length >= limit) break
    const match = matcher.test(toShownView(toEntry(record)))
    if (match === 'yes') found.push(record)
    else if (match === 'unsure') undecided ??= record
  }
  if (found.length === 0) journal.assertNoneMissed({ ...outline, limit }, undecided?.id)
  return found.reverse()
}

function showHar({ bases, journal }: Call): Har {
  const toUrl = toClientUrl(bases)
  const toShown = (record: JournalRecord) =>
    toHarEntry(toEntry(record), toUrl, toDurations(record, monotonicNow()).wait)
  return toHar(version, journal.records().map(toShown))
}

/**
 * Sends a recorded request again, with its key, and returns its new entry: an incomplete one if a
 * scenario delays the reply too long. The reply goes to nobody. @throws ControlError 404 if the
 * entry is gone, 409 if it has only a part of the body.
 */
async function replay(call: Call): Promise<JournalEntry> {
  const { greenhouse, journal } = call
  const controller = new AbortController()
  const request = toRepeatedRequest(findEntry(call), controller.signal)
  const before = journal.lastId
  // The entry exists by the end of this turn, whenever the reply is sent.
  const answering = greenhouse.handle(request)
  const record = journal.lastId > before ? journal.get(journal.lastId) : undefined
  if (!record) {
    // The request reached no world and so has no entry: for example, its scenario no longer exists.
    const { status, body } = await answering
    const reason =
      typeof body === 'string' ? (JSON.parse(body) as Partial<Failure>).error?.message : undefined
    const why = `The request was refused with ${status} before it reached the world. ${reason ?? ''}`
    throw conflict('not_replayable', why.trimEnd())
  }
  await waitFor(take(answering, controller.signal))
  controller.abort('The reply took too long.')
  return toEntry(record)
}

function toRepeatedRequest(record: JournalRecord, signal: AbortSignal): ServiceRequest {
  const { id, method, path, search, headers, body, isTooLarge } = record
  if (body && body.length > bodyCap)
    throw notReplayable(id, `the journal keeps only the first ${bodyCap} bytes of a body`)
  return {
    method,
    path,
    search,
    headers,
    body: isTooLarge ? 'too-large' : (body ?? null),
    signal,
  }
}

function notReplayable(id: number, why: string): ControlError {
  return conflict(
    'not_replayable',
    `The request ${id} can't be sent again: ${why}. Send it from your client.`,
  )
}

async function take(answering: Reply | Promise<Reply>, signal: AbortSignal) {
  const reply = await answering
  const { body, wire = {} } = reply
  if (signal.aborted || wire.instead !== undefined) return markSent(reply, 0, true)
  const bytes = body === null ? [] : [toBytes(body)]
  const { cutAt = Infinity, pieces } = wire
  let sent = 0
  try {
    for await (const piece of bytes[0] && pieces ? pieces(bytes[0], signal) : bytes) {
      if (signal.aborted) break
      sent += piece.length
      if (sent >= cutAt) return markSent(reply, cutAt, true)
    }
    markSent(reply, sent, signal.aborted)
  } catch {
    // The stream was cut.
    markSent(reply, sent, true)
  }
}
