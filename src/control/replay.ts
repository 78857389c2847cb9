import { toEntry, type JournalEntry } from '../core/journal/journal-entry.ts'
import { bodyCap, type JournalRecord } from '../core/journal/journal-record.ts'
import { tellLeft, toBytes, type Reply } from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { after } from '../core/time/clock.ts'
import type { Failure } from './answers.ts'
import type { Call } from './call.ts'
import { ControlError } from './errors.ts'
import { findNote } from './journal.ts'

/** How long a reply may take that a scenario holds back, in milliseconds of real time: then its entry is answered as it is. */
const longestWait = 10_000

/**
 * Sends a recorded request again, with the key that it had, and answers with its new entry. Nobody gets the reply.
 * @throws ControlError 404 when the entry is gone, 409 when it lacks a part of the request.
 */
export async function replay(call: Call): Promise<JournalEntry> {
  const { greenhouse, world } = call
  const given = new AbortController()
  const request = toRequest(findNote(call), given.signal)
  const { journal } = world
  const before = journal.lastId
  // It is in the journal before the turn is over, whenever the reply is there.
  const answering = greenhouse.handle(request)
  const note = journal.lastId > before ? journal.note(journal.lastId) : undefined
  if (!note) throw refused(await answering)
  let stopWaiting = () => {}
  const tooLong = new Promise<void>((resolve) => {
    stopWaiting = after(longestWait, resolve, false)
  })
  await Promise.race([take(answering, given.signal), tooLong])
  stopWaiting()
  given.abort('The reply took too long.')
  return toEntry(note)
}

function toRequest(note: JournalRecord, signal: AbortSignal): ServiceRequest {
  const { id, method, path, search, headers, body, isTooLarge, omitted = [] } = note
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

/** What reached no world is in no journal: it names a scenario that is gone, for one. */
function refused({ status, body }: Reply): ControlError {
  const told = typeof body === 'string' ? (JSON.parse(body) as Partial<Failure>).error?.message : undefined
  return new ControlError(
    409,
    'not_replayable',
    `The request was refused before it reached the world, with ${status}. ${told ?? ''}`.trimEnd(),
  )
}

/** Takes a reply as a client does that reads all of it, so that the journal tells what was sent. */
async function take(answering: Reply | Promise<Reply>, signal: AbortSignal): Promise<void> {
  const reply = await answering
  const { body, wire } = reply
  if (signal.aborted || wire?.instead !== undefined) return tellLeft(reply, 0, true)
  const { cutAt = Infinity, pieces } = wire ?? {}
  if (body === null || !pieces) {
    const length = body === null ? 0 : toBytes(body).length
    return length > cutAt ? tellLeft(reply, cutAt, true) : tellLeft(reply)
  }
  let sent = 0
  try {
    for await (const piece of pieces(toBytes(body), signal)) {
      if (signal.aborted) break
      sent = Math.min(cutAt, sent + piece.length)
      if (sent >= cutAt) return tellLeft(reply, sent, true)
    }
    tellLeft(reply, sent, signal.aborted)
  } catch {
    // A stream that breaks off.
    tellLeft(reply, sent, true)
  }
}
