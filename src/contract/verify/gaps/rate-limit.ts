import { fetchApps } from '../apps.ts'
import { unknown, value, type Gap } from '../definitions.ts'
import { afterReset, firstRefused, isOfMinute, quotaOf, spendAll } from '../rate-limit.ts'
import { readReset } from '../reset.ts'
import { assertSeen, describeReply, Unseen } from '../verdict.ts'
import { isSuccess } from '../wire.ts'

/** The tolerance at the end of a minute or a day, in milliseconds: seconds are rounded. */
const rounding = 1_100

/** The shortest burst with which a sliding window differs from a fixed one, in milliseconds. */
const longEnough = 3_000

export const rateLimitGaps: readonly Gap[] = [
  {
    id: 'rate-limit.reset-unit',
    async look(session) {
      const reply = await fetchApps(session)
      const text = reply.headers['x-ratelimit-reset']
      assertSeen(text !== undefined, 'replies carry no X-RateLimit-Reset')
      const reset = readReset(text, reply.at)
      return reset ? value(reset.unit, `X-RateLimit-Reset is ${text}`) : unknown(`X-RateLimit-Reset is ${text}`, reply)
    },
  },
  {
    id: 'rate-limit.reported',
    async look(session) {
      const quota = quotaOf(await fetchApps(session))
      if (!isOfMinute(session, quota)) return value('day', `X-RateLimit-Limit is ${quota.limit}, the limit of a day`)
      throw new Unseen(
        `X-RateLimit-Limit is ${quota.limit}, the limit of a minute: whether the tightest limit is reported shows only when the limit of a day is nearly used up`,
        ['tightest', 'minute'],
      )
    },
  },
  {
    id: 'rate-limit.scope',
    needs: ['limited-key'],
    async look(session) {
      // A reset between the requests would hide what they spend.
      for (let tries = 0; tries < 3; tries++) {
        const before = quotaOf(await fetchApps(session))
        const other = await fetchApps(session, { key: session.options.limitedKey! })
        assertSeen(other.status !== 401, describeReply(other))
        const spent = before.remaining - quotaOf(await fetchApps(session)).remaining
        if (spent === 2) return value('account', 'a request with --limited-key spends the quota of --key too')
        if (spent === 1) return value('key', 'a request with --limited-key does not spend the quota of --key')
      }
      return unknown('X-RateLimit-Remaining goes down by neither one nor two')
    },
  },
  {
    id: 'rate-limit.unauthenticated',
    async look({ client }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: null })
      assertSeen(reply.status === 401, describeReply(reply))
      const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = reply.headers
      if (limit === undefined) return value('absent', 'a 401 carries no X-RateLimit-Limit')
      const from = `a 401 carries X-RateLimit-Limit ${limit} and X-RateLimit-Remaining ${remaining}`
      return limit === remaining && (limit === '60' || limit === '1000')
        ? value('free-plan', from)
        : unknown(from, reply)
    },
  },
  {
    id: 'rate-limit.retry-after',
    needs: ['rate-limit'],
    async look(session) {
      const refused = await firstRefused(session)
      const text = refused.headers['retry-after']
      if (text === undefined) return value('absent', 'the first 429 carries no Retry-After')
      return /^[1-9]\d*$/.test(text)
        ? value('sent', `the first 429 carries Retry-After: ${text}`)
        : unknown(`Retry-After is ${text}, not a number of seconds`, refused)
    },
  },
  {
    id: 'rate-limit.window',
    needs: ['rate-limit'],
    async look(session) {
      const refused = await firstRefused(session)
      const { first } = await spendAll(session)
      const before = quotaOf(refused)
      const reply = await afterReset(session)
      assertSeen(isSuccess(reply), describeReply(reply))
      const after = quotaOf(reply)
      const length = isOfMinute(session, before) ? 60_000 : 86_400_000
      const isWhole = (at: number) => (at + rounding) % length <= 2 * rounding
      if (isWhole(before.resetsAt) && isWhole(after.resetsAt))
        return value('calendar', `windows end with the ${length === 60_000 ? 'minute' : 'day'}`)
      assertSeen(isOfMinute(session, before), 'the headers describe the limit of a day, which no run uses up')
      assertSeen(
        refused.at - first.at >= longEnough,
        `the requests until the 429 took less than ${longEnough / 1_000} s, too short to tell one kind of window from another`,
      )
      const from = `${after.remaining} of ${after.limit} requests are left right after the reset`
      return after.remaining >= after.limit - 3 ? value('first-request', from) : value('sliding', from)
    },
  },
]
