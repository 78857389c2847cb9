import { toJson } from '../../core/http/json.ts'
import { markSent, type Reply, toBytes } from '../../core/http/reply.ts'
import type { ServiceRequest } from '../../core/http/request.ts'
import { type JournalEntry, toEntry } from '../../core/journal/journal-entry.ts'
import { bodyCap, type JournalRecord } from '../../core/journal/journal-record.ts'
import type { CaseQuery } from '../../cases/to-case.ts'
import type { Case } from '../../cases/types.ts'
import type { Journal } from '../../api/journal.ts'
import type { World } from '../../api/world.ts'
import { done, ok, type Chunk, type ChunksAnswer } from '../answer.ts'
import type { Failure } from '../answers.ts'
import { check } from '../body.ts'
import type { Call } from '../call.ts'
import { ControlError } from '../errors.ts'
import { showEvidence } from '../evidence.ts'
import type { EventFeed, FeedEvent } from '../feed.ts'
import { findEntry, showHar, showJournal } from '../journal.ts'
import { defineRoutes } from '../route.ts'
import { caseQuerySchema } from '../schemas.ts'
import { waitFor } from '../turns.ts'

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
const work = 2_000

function showCase(call: Call): ChunksAnswer<Case> {
  const { title, until } = check(caseQuerySchema, call.query)
  if (until !== undefined && !(Number(until) >= 1 && Number(until) <= call.world.journal.lastId))
    throw new ControlError(404, 'unknown_entry', `The journal of the world "${call.world.name}" has no entry ${until}.`)
  return { chunks: toChunks(call.world, { title, until: until === undefined ? undefined : Number(until) }) }
}

function* toChunks(world: World, query: CaseQuery): Generator<Chunk> {
  const { head, steps, end } = world.toCaseInSteps(query)
  let before = `${toJson(head).slice(0, -1)},"steps":[`
  for (const step of steps) {
    const text = toJson(step)
    yield [before + text, text.length + work]
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
