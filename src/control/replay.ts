import { toEntry, type JournalEntry } from '../core/journal/journal-entry.ts'
import { bodyCap, type JournalRecord } from '../core/journal/journal-record.ts'
import { markSent, toBytes, type Reply } from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import type { Failure } from './answers.ts'
import type { Call } from './call.ts'
import { ControlError } from './errors.ts'
import { findEntry } from './journal.ts'
import { waitFor } from './settled.ts'

/**
 * Sends a recorded request again, with its key, and returns its new entry: an incomplete one if a scenario delays the reply too
 * long. The reply goes to nobody. @throws ControlError 404 if the entry is gone, 409 if it lacks a part of the request.
 */
export async function replay(call: Call): Promise<JournalEntry> {
  const { greenhouse, world } = call
  const controller = new AbortController()
  const request = toRequest(findEntry(call), controller.signal)
  const { journal } = world
  const before = journal.lastId
  // The entry exists by the end of this turn, whenever the reply is sent.
  const answering = greenhouse.handle(request)
  const record = journal.lastId > before ? journal.record(journal.lastId) : undefined
  if (!record) throw refused(await answering)
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
function refused({ status, body }: Reply): ControlError {
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
