import * as z from 'zod/mini'
import { toBytes } from '../../core/http/reply.ts'
import { defineFault } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'

export default defineFault({
  kind: 'truncate',
  description: 'The body ends too early.',
  did: 'cut the body short',
  fields: {
    at: described(z.int().check(z.nonnegative()), 'After how many bytes.'),
    content_length: optional(
      z.enum(['honest', 'lying']),
      'honest: Content-Length is the cut length. lying: it is the full length, and the connection closes in mid-body.',
    ),
  },
  create({ at, content_length }) {
    const isLying = content_length === 'lying'
    return {
      wireFault: isLying ? 'truncate with a lying Content-Length' : undefined,
      transformReply(_, reply) {
        if (reply.body === null) return reply
        if (isLying)
          return {
            ...reply,
            wire: { ...reply.wire, cutAt: at },
          }
        const bytes = toBytes(reply.body)
        if (bytes.length <= at) return reply
        const headers = {
          ...reply.headers,
          'Content-Length': String(at),
        }
        return {
          ...reply,
          headers,
          body: bytes.slice(0, at),
        }
      },
    }
  },
})
