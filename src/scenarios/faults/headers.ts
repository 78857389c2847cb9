import * as z from 'zod/mini'
import {
  defineFault,
  hasAnyHeader,
  type HeaderValues,
  setHeaders,
  withoutHeaders,
} from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'
import { countGiven, headerFields, headerName } from '../language/fields.ts'

const names = z.optional(z.array(headerName).check(z.minLength(1)))

export default defineFault({
  kind: 'headers',
  description: 'Headers are set, left out, or sent twice.',
  act: 'changed the headers',
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
      if (!repeat && hasHeaders(reply.headers, set) && !hasAnyHeader(reply.headers, remove))
        return reply
      const changed = set ? setHeaders(reply, set) : reply
      const headers = withoutHeaders(changed.headers, remove)
      if (!repeat) return { ...changed, headers }
      const former = reply.wire?.repeated ?? []
      return { ...changed, headers, wire: { ...reply.wire, repeated: [...former, ...repeat] } }
    },
  }),
})

function hasHeaders(headers: Readonly<Record<string, string>>, set: HeaderValues = {}): boolean {
  for (const name in set) if (headers[name] !== set[name]) return false
  return true
}
