import * as z from 'zod/mini'
import { isSame } from '../../core/text/values.ts'
import { defineFault, setHeaders, withoutHeaders } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'
import { countGiven, headerFields, headerName } from '../language/fields.ts'

const names = z.optional(z.array(headerName).check(z.minLength(1)))

export default defineFault({
  kind: 'headers',
  description: 'Headers are set, left out, or sent twice.',
  did: 'changed the headers',
  fields: {
    set: optional(
      headerFields,
      'Headers by name: { Name: value }. A list is sent as several headers.',
    ),
    remove: described(names, 'Names of headers to leave out: [Name].'),
    repeat: described(names, 'Names of headers to send twice: [Name].'),
  },
  check({ set, remove, repeat }) {
    if (countGiven(set, remove, repeat) > 0) return undefined
    return 'expected "set", "remove" or "repeat"'
  },
  create: ({ set, remove = [], repeat }) => ({
    transformReply(_, reply) {
      if (reply.status === 0) return reply
      const withSet = setHeaders(reply, set)
      const changed = {
        ...withSet,
        headers: withoutHeaders(withSet.headers, remove),
      }
      const former = reply.wire?.repeated ?? []
      if (repeat)
        return {
          ...changed,
          wire: {
            ...reply.wire,
            repeated: [...former, ...repeat],
          },
        }
      // Only a reply that is changed counts as one that the fault acted on.
      return isSame(changed, reply) ? reply : changed
    },
  }),
})
