import { defaultPlans } from '../../../core/accounts/accounts.ts'
import {
  gap,
  inLane,
  type ProbeTools,
  quotaLane,
  rule,
  unknownValue,
  valueOrUnknown,
  foundValue,
} from '../probe.ts'
import type { Session } from '../session.ts'
import {
  assertHolds,
  assertSeen,
  InconclusiveError,
  limitLeft,
  readReset,
  type ServerReply,
} from '../wire.ts'

export const rateLimitRules = inLane(quotaLane, [
  rule('apps.limit.counts', [], async ({ apps }) => {
    // The window may reset between the two requests of a pair, or a request be sent again, but
    // hardly in three pairs in a row.
    for (let tries = 2; ; tries--) {
      const [before, after] = [await apps.fetch(), await apps.fetch()]
      assertSeen(before.isSuccess && after.isSuccess, String(after))
      const [left, then] = [sentQuotaOf(before), sentQuotaOf(after)]
      const isCounted = then.remaining === left.remaining - 1
      if (!isCounted && tries > 0) continue
      return assertHolds(
        isCounted,
        after,
        `X-RateLimit-Remaining is ${then.remaining} after ${left.remaining}`,
      )
    }
  }),
  rule('apps.limit.status', ['rate-limit'], async (tools) => {
    const { last, beyond } = await spendAll(tools)
    assertOfMinute(tools.session, sentQuotaOf(last))
    last.assert(beyond === 0, ' when no request was left')
  }),
  rule('apps.limit.granted', ['rate-limit'], async (tools) => {
    const rejected = await firstRejected(tools)
    const left = sentQuotaOf((await spendAll(tools)).last)
    assertOfMinute(tools.session, left)
    assertHolds(
      left.remaining === 0,
      rejected,
      `429 came when X-RateLimit-Remaining was ${left.remaining}`,
    )
  }),
])

/** The tolerance at the end of a minute or a day, in milliseconds: seconds are rounded. */
const rounding = 1_100

/** The shortest burst with which a sliding window differs from a fixed one, in milliseconds. */
const longEnough = 3_000

export const rateLimitGaps = inLane(quotaLane, [
  gap('rate-limit.reset-unit', [], async ({ apps }) => {
    const reply = await apps.fetch()
    const text = reply.headers['x-ratelimit-reset']
    assertSeen(text !== undefined, 'replies carry no X-RateLimit-Reset')
    return valueOrUnknown(readReset(text, reply.at)?.unit, `X-RateLimit-Reset is ${text}`)
  }),
  gap('rate-limit.reported', [], async ({ session, apps }) => {
    const quota = sentQuotaOf(await apps.fetch())
    if (!isOfMinute(session, quota))
      return foundValue('day', `X-RateLimit-Limit is ${quota.limit}, the limit of a day`)
    throw new InconclusiveError(
      `X-RateLimit-Limit is ${quota.limit}, the limit of a minute: whether the tightest limit is reported shows only when the limit of a day is nearly used up`,
      ['tightest', 'minute'],
    )
  }),
  gap('rate-limit.scope', ['limited-key'], async ({ apps, key }) => {
    // A reset between the requests would hide what they spend.
    for (let tries = 0; tries < 3; tries++) {
      const before = sentQuotaOf(await apps.fetch())
      const other = await apps.fetch({ key: key('limited-key') })
      assertSeen(other.status !== 401, String(other))
      const spent = before.remaining - sentQuotaOf(await apps.fetch()).remaining
      const known = {
        1: 'key',
        2: 'account',
      }[spent]
      const from = `a request with --key and one with --limited-key spend ${spent} of the quota of --key`
      if (known !== undefined) return foundValue(known, from)
    }
    return unknownValue('X-RateLimit-Remaining goes down by neither one nor two')
  }),
  gap('rate-limit.unauthenticated', [], async ({ apps }) => {
    const reply = await apps.fetch({ key: null })
    assertSeen(reply.status === 401, String(reply))
    const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = reply.headers
    if (limit === undefined) return foundValue('absent', 'a 401 carries no X-RateLimit-Limit')
    const from = `a 401 carries X-RateLimit-Limit ${limit} and X-RateLimit-Remaining ${remaining}`
    const limits = defaultPlans.slice(0, 1).flatMap(({ minute, day }) => [minute, day])
    const isOfFreePlan = limit === remaining && limits.includes(Number(limit))
    return valueOrUnknown(isOfFreePlan ? 'free-plan' : undefined, from)
  }),
  gap('rate-limit.retry-after', ['rate-limit'], async (tools) => {
    const rejected = await firstRejected(tools)
    const text = rejected.headers['retry-after']
    if (text === undefined) return foundValue('absent', 'the first 429 carries no Retry-After')
    const isSeconds = /^[1-9]\d*$/.test(text)
    const from = `the first 429 carries Retry-After: ${text}`
    return valueOrUnknown(isSeconds ? 'sent' : undefined, from)
  }),
  gap('rate-limit.window', ['rate-limit'], async (tools) => {
    const rejected = await firstRejected(tools)
    const { first } = await spendAll(tools)
    const before = sentQuotaOf(rejected)
    const reply = await afterReset(tools)
    reply.assertSucceeded()
    const after = sentQuotaOf(reply)
    const length = isOfMinute(tools.session, before) ? 60_000 : 86_400_000
    const isWhole = (at: number) => (at + rounding) % length <= 2 * rounding
    if (isWhole(before.resetsAt) && isWhole(after.resetsAt))
      return foundValue('calendar', `windows end with the ${length === 60_000 ? 'minute' : 'day'}`)
    assertOfMinute(tools.session, before)
    assertSeen(
      rejected.at - first.at >= longEnough,
      `the requests until the 429 took less than ${longEnough / 1_000} s, too short to tell one kind of window from another`,
    )
    const from = `${after.remaining} of ${after.limit} requests are left right after the reset`
    if (after.remaining >= after.limit - 3) return foundValue('first-request', from)
    return foundValue('sliding', from)
  }),
])

const unreadable = 'replies carry no X-RateLimit headers that can be read'

function sentQuotaOf({ headers, at }: ServerReply) {
  const [limit, remaining] = [
    Number(headers['x-ratelimit-limit']),
    Number(headers['x-ratelimit-remaining']),
  ]
  const reset = readReset(headers['x-ratelimit-reset'] ?? '', at)
  assertSeen(
    Number.isInteger(limit) && Number.isInteger(remaining) && reset !== undefined,
    unreadable,
  )
  return {
    limit,
    remaining,
    resetsAt: reset.resetsAt,
  }
}

function isOfMinute({ plans }: Session, { limit }: { readonly limit: number }): boolean {
  return plans.some(({ minute }) => minute === limit)
}

function assertOfMinute(session: Session, quota: { readonly limit: number }) {
  assertSeen(
    isOfMinute(session, quota),
    'the headers describe the limit of a day, which no run uses up',
  )
}

/** The number of requests over the limit that shows that there is no 429. */
const maxBeyond = 10

function spendAll({ session, apps }: ProbeTools) {
  return session.remember('burst', async () => {
    const first = await apps.fetch({ mayBeLimited: true })
    first.assertSucceeded()
    if (session.options.movesClock) await session.options.wait(longEnough)
    let last = first
    // More than twice as many as any plan has in a minute.
    const maxRequests = 2 * Math.max(...session.plans.map(({ minute }) => minute)) + 100
    let beyond = 0
    for (let count = 2; count <= maxRequests; count++) {
      const reply = await apps.fetch({
        query: 'limit=1',
        mayBeLimited: true,
      })
      if (reply.status === 429)
        return {
          first,
          last,
          rejected: reply,
          beyond,
        }
      if (sentQuotaOf(last).remaining === 0 && sentQuotaOf(reply).remaining === 0) beyond++
      last = reply
      if (beyond === maxBeyond)
        return {
          first,
          last,
          rejected: undefined,
          beyond,
        }
    }
    throw new InconclusiveError(`${maxRequests} requests in a row were answered, none with 429`)
  })
}

async function firstRejected(tools: ProbeTools): Promise<ServerReply> {
  const { rejected } = await spendAll(tools)
  assertSeen(rejected !== undefined, 'no request over the limit is answered with 429')
  return rejected
}

function afterReset(tools: ProbeTools): Promise<ServerReply> {
  const { session, apps } = tools
  return session.remember('after reset', async () => {
    const pause = limitLeft(await firstRejected(tools), session.options.now())
    assertSeen(pause !== undefined, unreadable)
    assertSeen(pause <= 61_000, `the limit lasts ${Math.ceil(pause / 1_000)} s`)
    session.options.log?.(`Waiting ${Math.ceil(pause / 1_000)} s for the rate limit.`)
    await session.options.wait(pause)
    return apps.fetch()
  })
}
