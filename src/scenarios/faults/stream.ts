import * as z from 'zod/mini'
import { ApiError, type ErrorCode, errors } from '../../core/contract/errors.ts'
import {
  defaultGap,
  endOfEvent,
  isEventStream,
  type Reply,
  toBytes,
} from '../../core/http/reply.ts'
import type { MatchedExchange } from '../../core/pipeline/effect.ts'
import { toMilliseconds } from '../../core/time/time-text.ts'
import { type ChangePieces, defineFault, withPieces } from '../language/effect-kind.ts'
import { optional } from '../../core/contract/zod.ts'
import { countGiven, durationThat } from '../language/fields.ts'

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

const pause = durationThat(
  (value) =>
    value === 'ever' ||
    (toMilliseconds(value) >= 0 && toMilliseconds(value) <= toMilliseconds('1d')),
  'expected a duration up to "1d", such as "30s", or "ever"',
)

export default defineFault({
  kind: 'stream',
  description:
    'A stream of server-sent events breaks, stalls or is slow. Other replies stay as they are.',
  did: 'changed the stream of events',
  fields: {
    fails: optional(
      z.enum(['break', 'stall', 'error']),
      'What happens after the first events: the connection is cut, no more events come, or an error event ends the stream.',
    ),
    events: optional(
      z.int().check(z.nonnegative()),
      'How many events come first; 0 by default. A stream with no more events than that stays whole.',
    ),
    for: optional(
      pause,
      'How long a stall lasts: a duration up to 1d, or ever, which never ends and is the default.',
    ),
    error: optional(z.enum(codes), 'The code of the error event; internal_error by default.'),
    message: optional(z.string(), 'The message of the error event.'),
    words_per_second: optional(
      z.number().check(z.gte(0.01), z.lte(1_000)),
      'How many events are sent per second; each event of an answer has one word.',
    ),
  },
  check({ fails, events, for: length, error, message, words_per_second }) {
    if (fails === undefined && words_per_second === undefined)
      return 'expected "fails" or "words_per_second"'
    if (fails === undefined && events !== undefined)
      return 'expected "fails" beside "events", which says what happens after them'
    if (fails !== 'stall' && length !== undefined) return 'expected "fails: stall" beside "for"'
    if (fails !== 'error' && countGiven(error, message) > 0)
      return 'expected "fails: error" beside "error" and "message"'
    return undefined
  },
  create({
    fails,
    events = 0,
    for: length = 'ever',
    error = 'internal_error',
    message,
    words_per_second: pace,
  }) {
    const breakStream = (exchange: MatchedExchange, reply: Reply): Reply => {
      if (fails === undefined || reply.body === null) return reply
      const { clock } = exchange.world
      const body = toBytes(reply.body)
      const end = endOfEvents(body, events)
      if (end >= body.length) return reply
      const beginning = {
        ...reply,
        body: new TextDecoder().decode(body.subarray(0, end)),
      }
      switch (fails) {
        case 'break':
          return withPieces(beginning, (pieces, signal) =>
            breakOffStream(pieces, () => clock.wait(defaultGap, signal)),
          )
        case 'stall':
          if (length === 'ever') return withPieces(beginning, stallForEver)
          return withPieces(reply, (pieces, signal) =>
            pauseAt(pieces, end, () => clock.wait(toMilliseconds(length), signal)),
          )
        case 'error': {
          const errorBody = exchange.toErrorReply(new ApiError(error, message)).body as string
          return {
            ...reply,
            body: `${beginning.body}event: error\ndata: ${errorBody}\n\n`,
          }
        }
      }
    }
    return {
      transformReply(exchange, reply) {
        if (!isEventStream(reply)) return reply
        const wrong = breakStream(exchange, reply)
        if (pace === undefined) return wrong
        return atPace(wrong, 1_000 / pace)
      },
    }
  },
})

function atPace(reply: Reply, apart: number): Reply {
  const pieces = reply.wire?.pieces
  if (!pieces) return reply
  return {
    ...reply,
    wire: {
      ...reply.wire,
      pieces: (body, signal, gap = apart) => pieces(body, signal, gap),
    },
  }
}

function endOfEvents(body: Uint8Array, count: number): number {
  let end = 0
  for (let left = count; left > 0 && end < body.length; left--) end = endOfEvent(body, end)
  return end
}

/**
 * Cuts the connection after the pieces. Waits first, because a stream that fails immediately drops
 * its last piece.
 */
async function* breakOffStream(
  pieces: AsyncIterable<Uint8Array>,
  wait: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  for await (const piece of pieces) {
    hasBegun = true
    yield piece
  }
  if (hasBegun) await wait()
  throw new Error('The stream broke off: a scenario cut the connection.')
}

/** Sends nothing after the pieces, not even the end, until the client is gone. */
const stallForEver: ChangePieces = async function* (pieces, signal) {
  yield* pieces
  if (!signal?.aborted)
    await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }))
}

async function* pauseAt(pieces: AsyncIterable<Uint8Array>, at: number, wait: () => Promise<void>) {
  let left = at
  if (left === 0) await wait()
  for await (const piece of pieces) {
    const isHere = left > 0 && piece.length >= left
    if (isHere) {
      yield piece.subarray(0, left)
      await wait()
    }
    const rest = isHere ? piece.subarray(left) : piece
    left -= piece.length
    // Nobody's network delivers an empty piece.
    if (rest.length > 0) yield rest
  }
}
