import * as z from 'zod/mini'
import { toMilliseconds } from '../../core/time/clock.ts'
import { ApiError, errors, type ErrorCode } from '../../core/definitions/errors.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { endOfEvent, isEventStream, usualGap } from '../../core/http/event-stream.ts'
import { toBytes, type Reply } from '../../core/http/reply.ts'
import { defineFault } from '../fault-kind.ts'
import { breakOff, pauseAt, stallForEver, type Pieces } from './stream-pieces.ts'

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

/** A length of time that a stream stops for. */
const pause = z.union([z.string(), z.number()]).check(
  z.refine((value) => {
    try {
      return value === 'ever' || (toMilliseconds(value) >= 0 && toMilliseconds(value) <= toMilliseconds('1d'))
    } catch {
      return false
    }
  }, 'expected a length of time up to "1d", such as "30s", or "ever"'),
)

/**
 * `stream`: a reply of server-sent events goes wrong after a number of them: the connection breaks off, nothing more comes for
 * a while or for ever, or an `error` event ends it. Or its words come slowly. A stream that is over before goes on as it is.
 */
export const streamFault = defineFault({
  kind: 'stream',
  fields: {
    fails: z.optional(z.enum(['break', 'stall', 'error'])),
    events: z.optional(z.int().check(z.nonnegative())),
    for: z.optional(pause),
    error: z.optional(z.enum(codes)),
    message: z.optional(z.string()),
    words_per_second: z.optional(z.number().check(z.gte(0.01), z.lte(1_000))),
  },
  check({ fails, events, for: length, error, message, words_per_second }) {
    if (fails === undefined && words_per_second === undefined) return 'expected "fails" or "words_per_second"'
    if (fails === undefined && events !== undefined) return 'expected "fails" beside "events": what happens after them'
    if (fails !== 'stall' && length !== undefined) return 'expected "fails: stall" beside "for"'
    return fails !== 'error' && (error !== undefined || message !== undefined)
      ? 'expected "fails: error" beside "error" and "message"'
      : undefined
  },
  create({ fails, events = 0, for: length, error = 'internal_error', message, words_per_second: pace }) {
    const wait = length === undefined || length === 'ever' ? undefined : toMilliseconds(length)
    const goWrong = (exchange: Exchange, reply: Reply): Reply => {
      const body = toBytes(reply.body!)
      const end = endOfEvents(body, events)
      if (end >= body.length) return reply
      const begun = { ...reply, body: new TextDecoder().decode(body.subarray(0, end)) }
      switch (fails!) {
        case 'break':
          return withPieces(begun, (pieces, whenGone) =>
            breakOff(pieces, () => exchange.world.clock.wait(usualGap, whenGone)),
          )
        case 'stall':
          return wait === undefined
            ? withPieces(begun, stallForEver)
            : withPieces(reply, (pieces, whenGone) =>
                pauseAt(pieces, end, () => exchange.world.clock.wait(wait, whenGone)),
              )
        case 'error': {
          const errorBody = exchange.area.toErrorReply(exchange, new ApiError(error, message)).body as string
          return { ...reply, body: `${begun.body}event: error\ndata: ${errorBody}\n\n` }
        }
      }
    }
    return {
      distort(exchange, reply) {
        if (!isEventStream(reply)) return reply
        const wrong = fails === undefined ? reply : goWrong(exchange, reply)
        return pace === undefined ? wrong : atPace(wrong, 1_000 / pace)
      },
    }
  },
})

/** The same with what its pieces become. */
function withPieces(reply: Reply, change: Pieces): Reply {
  const { pieces } = reply.wire!
  return {
    ...reply,
    wire: { ...reply.wire, pieces: (body, whenGone, gap) => change(pieces!(body, whenGone, gap), whenGone) },
  }
}

/** The same with its events so far apart, in milliseconds. */
function atPace(reply: Reply, apart: number): Reply {
  const { pieces } = reply.wire!
  return { ...reply, wire: { ...reply.wire, pieces: (body, whenGone, gap = apart) => pieces!(body, whenGone, gap) } }
}

/** Where the first `count` events of a body end. */
function endOfEvents(body: Uint8Array, count: number): number {
  let end = 0
  for (let left = count; left > 0 && end < body.length; left--) end = endOfEvent(body, end)
  return end
}
