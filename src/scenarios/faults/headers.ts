import * as z from 'zod/mini'
import { defineFault } from '../fault-kind.ts'
import { headerName, headerValue, withHeaders, withoutHeaders } from '../headers.ts'

const names = z.optional(z.array(headerName).check(z.minLength(1)))

/** `headers`: sets headers of the reply to what they should not be, leaves some out, or sends some twice. */
export default defineFault({
  kind: 'headers',
  description: 'Headers are set, left out, or sent twice.',
  act: 'changed the headers',
  fields: {
    set: z.optional(z.record(headerName, headerValue)).check(z.describe('Headers by name: { Name: value }.')),
    remove: names.check(z.describe('Names of those that are left out: [Name].')),
    repeat: names.check(z.describe('Names of those that are sent twice: [Name].')),
  },
  check: ({ set, remove, repeat }) => (set || remove || repeat ? undefined : 'expected "set", "remove" or "repeat"'),
  create: ({ set, remove = [], repeat }) => ({
    distort(_, reply) {
      if (reply.status === 0) return reply
      const changed = withHeaders(reply.headers, set)
      const headers = remove.length > 0 ? withoutHeaders(changed, remove) : changed
      if (!repeat && isSame(headers, reply.headers)) return reply
      return {
        ...reply,
        headers,
        ...(repeat && { wire: { ...reply.wire, repeated: [...(reply.wire?.repeated ?? []), ...repeat] } }),
      }
    },
  }),
})

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
