import * as z from 'zod/mini'
import { toBytes } from '../../core/http/reply.ts'
import { defineFault } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'

export default defineFault({
  kind: 'truncate',
  description: 'The body ends too early.',
  act: 'cut the body short',
  fields: {
    at: described(z.int().check(z.nonnegative()), 'After how many bytes.'),
    content_length: optional(
      z.enum(['honest', 'lying']),
      'honest: Content-Length is the cut length. lying: it is the full length, and the connection closes in mid-body.',
    ),
  },
  create: ({ at, content_length }) =>
    content_length === 'lying'
      ? {
          wireFault: 'truncate with a lying Content-Length',
          transformReply: (_, reply) =>
            reply.body === null ? reply : { ...reply, wire: { ...reply.wire, cutAt: at } },
        }
      : {
          transformReply(_, reply) {
            const bytes = reply.body === null ? undefined : toBytes(reply.body)
            if (!bytes || bytes.length <= at) return reply
            return {
              ...reply,
              headers: { ...reply.headers, 'Content-Length': String(at) },
              body: bytes.slice(0, at),
            }
          },
        },
})
