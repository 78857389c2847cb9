import { fetchApps } from './apps.ts'
import { readReset, type Session } from './session.ts'
import { assertSeen, assertSucceeded, Inconclusive, type ServerReply } from './wire.ts'

export function quotaOf({ headers, at }: ServerReply) {
  const [limit, remaining] = [Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])]
  const reset = readReset(headers['x-ratelimit-reset'] ?? '', at)
  assertSeen(
    Number.isInteger(limit) && Number.isInteger(remaining) && reset !== undefined,
    'replies carry no X-RateLimit headers that can be read',
  )
  return { limit, remaining, resetsAt: reset.resetsAt }
}

export function isOfMinute({ plans }: Session, { limit }: { readonly limit: number }): boolean {
  return plans.some(({ minute }) => minute === limit)
}

export function assertOfMinute(session: Session, quota: { readonly limit: number }): void {
  assertSeen(isOfMinute(session, quota), 'the headers describe the limit of a day, which no run uses up')
}

interface Burst {
  readonly first: ServerReply
  readonly last: ServerReply
  readonly rejected: ServerReply | undefined
  readonly beyond: number
}

/** The number of requests over the limit that shows that there is no 429. */
const maxBeyond = 10

export function spendAll(session: Session): Promise<Burst> {
  return session.once('burst', async () => {
    const first = await fetchApps(session, { mayBeLimited: true })
    assertSucceeded(first)
    let last = first
    // More than twice as many as any plan has in a minute.
    const maxRequests = 2 * Math.max(...session.plans.map(({ minute }) => minute)) + 100
    let beyond = 0
    for (let count = 2; count <= maxRequests; count++) {
      const reply = await fetchApps(session, { query: 'limit=1', mayBeLimited: true })
      if (reply.status === 429) return { first, last, rejected: reply, beyond }
      if (quotaOf(last).remaining === 0 && quotaOf(reply).remaining === 0) beyond++
      last = reply
      if (beyond === maxBeyond) return { first, last, rejected: undefined, beyond }
    }
    throw new Inconclusive(`${maxRequests} requests in a row were answered, none with 429`)
  })
}

export async function firstRejected(session: Session): Promise<ServerReply> {
  const { rejected } = await spendAll(session)
  assertSeen(rejected !== undefined, 'no request over the limit is answered with 429')
  return rejected
}

export function afterReset(session: Session): Promise<ServerReply> {
  return session.once('after reset', async () => {
    const rejected = await firstRejected(session)
    const seconds = Number(rejected.headers['retry-after'])
    const pause = seconds > 0 ? seconds * 1_000 : Math.max(0, quotaOf(rejected).resetsAt - session.options.now())
    assertSeen(pause <= 61_000, `the limit lasts ${Math.ceil(pause / 1_000)} s`)
    session.options.log?.(`Waiting ${Math.ceil(pause / 1_000)} s for the rate limit.`)
    await session.options.wait(pause)
    return fetchApps(session)
  })
}
