import { malformKinds } from '../../../scenarios/malformation.ts'
import { isAfter, toPast, type Past, type Rule } from '../rule.ts'

/** The kind of a reply with an unknown field, which a client must accept. */
const unknownField = 'extra'

export const survivesMalformed: readonly Rule[] = malformKinds.map((kind) => ({
  name: kind === unknownField ? 'ignores-unknown-fields' : `survives-${kind}`,
  title:
    kind === unknownField
      ? 'Goes on when a reply has a field that it does not know'
      : `Goes on when a value of a reply is wrong (${kind})`,
  why:
    kind === unknownField
      ? 'The service may add fields at any time. A client that refuses them stops working on that day.'
      : 'One wrong value in one reply should not bring down the whole page.',
  exercise: `world.use('malformed-reply', { on: 'plants.list', at: '/0/name', kind: '${kind}' }), and use the client for a while`,
  watch({ pass, fail }) {
    const waiting = new Map<string, Past>()
    const byOperation = new Map<
      string,
      { last: Pick<Past, 'id' | 'endedAt'> | undefined; followed: number; unfollowed: number }
    >()
    return {
      see(request) {
        const { operation } = request
        if (operation === undefined) return
        for (const [id, past] of waiting)
          if (isAfter(request, past)) {
            pass(past, request)
            waiting.delete(id)
          }
        for (const one of byOperation.values())
          if (one.last && isAfter(request, one.last)) {
            one.followed++
            one.last = undefined
          }
        if (request.status >= 300 || request.status < 200) return
        if (request.acted.includes(kind)) waiting.set(operation, toPast(request))
        else if (request.acted.length === 0) {
          const one = byOperation.get(operation) ?? { last: undefined, followed: 0, unfollowed: 0 }
          if (one.last) one.unfollowed++
          const { id, endedAt } = request
          byOperation.set(operation, { ...one, last: { id, endedAt } })
        }
      },
      end() {
        for (const [operation, past] of waiting) {
          const { last, followed = 0, unfollowed = 0 } = byOperation.get(operation) ?? {}
          if (followed >= 2 && unfollowed === 0 && last === undefined)
            fail(`asked for nothing more; after ${followed} other replies of ${operation} it always did`, past)
        }
      },
    }
  },
}))
