import { fetchApps } from '../apps.ts'
import type { VerifyRule } from '../definitions.ts'
import { firstRefused, isOfMinute, quotaOf, spendAll } from '../rate-limit.ts'
import { assertKept, assertSeen, describeReply } from '../verdict.ts'
import { isSuccess } from '../wire.ts'

export const rateLimitRules: readonly VerifyRule[] = [
  {
    id: 'apps.limit.counts',
    words: 'Each request leaves one less in X-RateLimit-Remaining.',
    async probe(session) {
      // The window may reset between the two requests of a pair, or a request be sent again, but hardly in two pairs in a row.
      for (let tries = 2; ; tries--) {
        const [before, after] = [await fetchApps(session), await fetchApps(session)]
        assertSeen(isSuccess(before) && isSuccess(after), describeReply(after))
        const [left, then] = [quotaOf(before), quotaOf(after)]
        const isCounted = then.remaining === left.remaining - 1
        if (!isCounted && tries > 0) continue
        return assertKept(isCounted, `X-RateLimit-Remaining is ${then.remaining} after ${left.remaining}`, after)
      }
    },
  },
  {
    id: 'apps.limit.status',
    words: 'A request above the limit is answered with 429.',
    needs: ['rate-limit'],
    async probe(session) {
      const { last, beyond } = await spendAll(session)
      assertSeen(isOfMinute(session, quotaOf(last)), 'the headers describe the limit of a day, which no run uses up')
      assertKept(beyond === 0, `${describeReply(last)} when no request was left`, last)
    },
  },
  {
    id: 'apps.limit.granted',
    words: 'No request within the limit is answered with 429.',
    needs: ['rate-limit'],
    async probe(session) {
      const refused = await firstRefused(session)
      const left = quotaOf((await spendAll(session)).last)
      assertSeen(isOfMinute(session, left), 'the headers describe the limit of a day, which no run uses up')
      assertKept(left.remaining === 0, `429 came when X-RateLimit-Remaining was ${left.remaining}`, refused)
    },
  },
]
