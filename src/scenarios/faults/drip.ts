import * as z from 'zod/mini'
import type { WorldClock } from '../../core/time/world-clock.ts'
import { defineFault } from '../language/effect-kind.ts'
import { described } from '../language/fields.ts'

/** The interval between pieces, in milliseconds. */
const interval = 50

export default defineFault({
  kind: 'drip',
  description: 'The body is sent slowly.',
  act: 'sent the body slowly',
  fields: { bytes_per_second: described(z.number().check(z.gte(1), z.lte(1e9)), 'How many bytes a second.') },
  create: ({ bytes_per_second: rate }) => ({
    transformReply(exchange, reply) {
      if (reply.body === null) return reply
      const { clock } = exchange.world
      const { pieces } = reply.wire ?? {}
      return {
        ...reply,
        wire: {
          ...reply.wire,
          pieces: (body, signal, gap) =>
            pieces ? dripPieces(pieces(body, signal, gap), rate, clock, signal) : drip(body, rate, clock, signal),
        },
      }
    },
  }),
})

/** Slows down a reply that is already sent in pieces. They may end in an error that cuts the reply. */
async function* dripPieces(
  pieces: AsyncIterable<Uint8Array>,
  rate: number,
  clock: WorldClock,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield* drip(piece, rate, clock, signal)
}

async function* drip(
  body: Uint8Array,
  rate: number,
  clock: WorldClock,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.round((rate * interval) / 1_000))
  for (let at = 0; at < body.length; at += size) {
    await clock.wait((Math.min(size, body.length - at) / rate) * 1_000, signal)
    yield body.subarray(at, at + size)
  }
}
