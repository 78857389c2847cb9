import * as z from 'zod/mini'
import { defineFault, hasAny, withHeaders, withoutHeaders } from '../language/effect-kind.ts'
import { described, optional, headerName, headerValue } from '../language/fields.ts'

const names = z.optional(z.array(headerName).check(z.minLength(1)))

export default defineFault({
  kind: 'headers',
  description: 'Headers are set, left out, or sent twice.',
  act: 'changed the headers',
  fields: {
    set: optional(z.record(headerName, headerValue), 'Headers by name: { Name: value }.'),
    remove: described(names, 'Names of headers to leave out: [Name].'),
    repeat: described(names, 'Names of headers to send twice: [Name].'),
  },
  check: ({ set, remove, repeat }) => (set || remove || repeat ? undefined : 'expected "set", "remove" or "repeat"'),
  create: ({ set, remove = [], repeat }) => ({
    transformReply(_, reply) {
      if (reply.status === 0) return reply
      if (!repeat && holds(reply.headers, set) && !hasAny(reply.headers, remove)) return reply
      const headers = withoutHeaders(set ? withHeaders(reply.headers, set) : reply.headers, remove)
      if (!repeat) return { ...reply, headers }
      const repeated = [...(reply.wire?.repeated ?? []), ...repeat]
      return { ...reply, headers, wire: { ...reply.wire, repeated } }
    },
  }),
})

function holds(headers: Readonly<Record<string, string>>, set: Readonly<Record<string, string>> = {}): boolean {
  for (const name in set) if (headers[name] !== set[name]) return false
  return true
}
