import { toBytes } from '../../core/http/reply.ts'
import { defineFault } from '../language/effect-kind.ts'

export default defineFault({
  kind: 'bad-utf8',
  description: 'One byte in the middle of the body is not valid UTF-8.',
  did: 'put an invalid UTF-8 byte into the body',
  fields: {},
  create: () => ({
    transformReply(_, reply) {
      if (reply.body === null || reply.body.length === 0) return reply
      const bytes = Uint8Array.from(toBytes(reply.body))
      bytes[bytes.length >>> 1] = 0xff
      return {
        ...reply,
        body: bytes,
      }
    },
  }),
})
