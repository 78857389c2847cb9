import * as z from 'zod/mini'
import type { WorldClock } from '../../core/time/world-clock.ts'
import { defineFault, withPieces } from '../language/effect-kind.ts'
import { described } from '../../core/contract/zod.ts'

const interval = 50

export default defineFault({
  kind: 'drip',
  description: 'The body is sent slowly.',
  did: 'sent the body slowly',
  fields: {
    bytes_per_second: described(z.number().check(z.gte(1), z.lte(1e9)), 'How many bytes a second.'),
  },
  create: ({ bytes_per_second: rate }) => ({
    transformReply({ world }, reply) {
      if (reply.body === null) return reply
      return withPieces(reply, (pieces, signal) => drip(pieces, rate, world.clock, signal))
    },
  }),
})

/** The pieces may end in an error that cuts the reply. */
async function* drip(
  pieces: AsyncIterable<Uint8Array>,
  rate: number,
  clock: WorldClock,
  signal?: AbortSignal,
) {
  const size = Math.max(1, Math.round((rate * interval) / 1_000))
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += size) {
      await clock.wait((Math.min(size, piece.length - at) / rate) * 1_000, signal)
      yield piece.subarray(at, at + size)
    }
}
