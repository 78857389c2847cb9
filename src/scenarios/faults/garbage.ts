import * as z from 'zod/mini'
import { defineFault, loses, noReplySteps } from '../language/effect-kind.ts'
import { optional } from '../../core/contract/zod.ts'

export default defineFault({
  kind: 'garbage',
  description: 'The server sends bytes that are not HTTP, then closes the connection.',
  did: 'sent bytes that are not HTTP in place of the reply',
  fields: {
    bytes: optional(z.int().check(z.gte(1), z.lte(65_536)), 'How many bytes; 64 by default.'),
    loses,
  },
  create(spec, activation, id) {
    const { random } = activation.counter(`${id}.bytes`)
    const toWire = () => ({
      garbage: Uint8Array.from(
        { length: spec.bytes ?? 64 },
        () => 128 + Math.floor(random.next() * 128),
      ),
    })
    return noReplySteps(spec.loses, 'garbage', toWire)
  },
})
