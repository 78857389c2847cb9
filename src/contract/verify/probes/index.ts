import type { AssumptionId } from '../../../api/types/names.ts'
import { codeOf, fetchApps, fetchNoApp, make, post, theApp } from '../apps.ts'
import { type AssumptionProbe, byStatus, byValue, isTaken, probe, statusProbe, unknown, value } from '../finding.ts'
import { deleteMade, makePlant, removePlant } from '../plants.ts'
import { afterReset, assertOfMinute, firstRejected, isOfMinute, quotaOf, spendAll } from '../rate-limit.ts'
import { type Need, readReset, type Session } from '../session.ts'
import {
  assertSeen,
  assertSucceeded,
  describeReply,
  Inconclusive,
  isSuccess,
  member,
  type ServerReply,
} from '../wire.ts'
import { paidProbes } from './paid.ts'
import { plantCreateProbes, plantListProbes } from './plants.ts'
import { webhookProbes } from './apps.ts'

/** The tolerance at the end of a minute or a day, in milliseconds: seconds are rounded. */
const rounding = 1_100

/** The shortest burst with which a sliding window differs from a fixed one, in milliseconds. */
const longEnough = 3_000

const rateLimitProbes: readonly AssumptionProbe[] = [
  probe('rate-limit.reset-unit', [], async (session) => {
    const reply = await fetchApps(session)
    const text = reply.headers['x-ratelimit-reset']
    assertSeen(text !== undefined, 'replies carry no X-RateLimit-Reset')
    const reset = readReset(text, reply.at)
    return reset ? value(reset.unit, `X-RateLimit-Reset is ${text}`) : unknown(`X-RateLimit-Reset is ${text}`, reply)
  }),
  probe('rate-limit.reported', [], async (session) => {
    const quota = quotaOf(await fetchApps(session))
    if (!isOfMinute(session, quota)) return value('day', `X-RateLimit-Limit is ${quota.limit}, the limit of a day`)
    throw new Inconclusive(
      `X-RateLimit-Limit is ${quota.limit}, the limit of a minute: whether the tightest limit is reported shows only when the limit of a day is nearly used up`,
      ['tightest', 'minute'],
    )
  }),
  probe('rate-limit.scope', ['limited-key'], async (session) => {
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
  }),
  probe('rate-limit.unauthenticated', [], async (session) => {
    const reply = await fetchApps(session, { key: null })
    assertSeen(reply.status === 401, describeReply(reply))
    const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = reply.headers
    if (limit === undefined) return value('absent', 'a 401 carries no X-RateLimit-Limit')
    const from = `a 401 carries X-RateLimit-Limit ${limit} and X-RateLimit-Remaining ${remaining}`
    return limit === remaining && (limit === '60' || limit === '1000') ? value('free-plan', from) : unknown(from, reply)
  }),
  probe('rate-limit.retry-after', ['rate-limit'], async (session) => {
    const rejected = await firstRejected(session)
    const text = rejected.headers['retry-after']
    if (text === undefined) return value('absent', 'the first 429 carries no Retry-After')
    return /^[1-9]\d*$/.test(text)
      ? value('sent', `the first 429 carries Retry-After: ${text}`)
      : unknown(`Retry-After is ${text}, not a number of seconds`, rejected)
  }),
  probe('rate-limit.window', ['rate-limit'], async (session) => {
    const rejected = await firstRejected(session)
    const { first } = await spendAll(session)
    const before = quotaOf(rejected)
    const reply = await afterReset(session)
    assertSucceeded(reply)
    const after = quotaOf(reply)
    const length = isOfMinute(session, before) ? 60_000 : 86_400_000
    const isWhole = (at: number) => (at + rounding) % length <= 2 * rounding
    if (isWhole(before.resetsAt) && isWhole(after.resetsAt))
      return value('calendar', `windows end with the ${length === 60_000 ? 'minute' : 'day'}`)
    assertOfMinute(session, before)
    assertSeen(
      rejected.at - first.at >= longEnough,
      `the requests until the 429 took less than ${longEnough / 1_000} s, too short to tell one kind of window from another`,
    )
    const from = `${after.remaining} of ${after.limit} requests are left right after the reset`
    return after.remaining >= after.limit - 3 ? value('first-request', from) : value('sliding', from)
  }),
]

const authProbes: readonly AssumptionProbe[] = [
  statusProbe(
    'auth.scheme-case',
    [],
    { '2xx': 'any', 401: 'exact' },
    (session) => fetchApps(session, { authorization: `bearer ${session.options.key}` }),
    ' to "bearer" in lower case',
  ),
  codeProbe(
    'auth.missing-code',
    [],
    { missing_api_key: 'missing_api_key', invalid_api_key: 'invalid_api_key' },
    (session) => fetchApps(session, { key: null }),
    ' without a key',
  ),
  codeProbe(
    'auth.expired-code',
    ['expired-key'],
    { invalid_api_key: 'invalid_api_key' },
    (session) => fetchApps(session, { key: session.options.expiredKey! }),
    ' to an expired key',
  ),
  statusProbe(
    'http.unknown-path',
    [],
    { 404: '404-first', 401: 'checked' },
    ({ client }) => client.call('apps', 'GET', '/no-such-path', { key: null }),
    ' to a path that does not exist, without a key',
  ),
  codeProbe('errors.codes', [], { not_found: 'snake-case' }, async (session) => {
    const reply = await fetchNoApp(session)
    assertSeen(reply.status === 404, `${describeReply(reply)}, without an error.code`)
    return reply
  }),
  probe('errors.request-id-header', [], async (session) => {
    const reply = await fetchNoApp(session)
    const id = reply.headers['x-request-id']
    if (id === undefined) return value('absent', 'replies of app management do not carry X-Request-Id')
    const inBody = member(member(reply.json, 'error'), 'request_id')
    return inBody === id
      ? value('sent', 'X-Request-Id equals error.request_id')
      : unknown(`X-Request-Id is ${id}, and error.request_id ${JSON.stringify(inBody)}`, reply)
  }),
  probe('http.date', [], async (session) => {
    const { headers } = await fetchApps(session)
    if (headers['date'] === undefined) return value('absent', 'replies of app management do not carry Date')
    throw new Inconclusive('a client sees a time, but not whose clock it comes from', ['world', 'machine'])
  }),
  probe('http.head', [], async (session) => {
    const [head, get] = [await session.client.call('apps', 'HEAD', '/apps'), await fetchApps(session)]
    return head.status === get.status ? value('as-get', describeReply(head)) : byStatus(head, { 404: '404' })
  }),
]

/** Returns a probe to which the code of an error answers. @param situation what the request was about: ` without a key` */
function codeProbe(
  id: AssumptionId,
  needs: readonly Need[],
  values: Readonly<Record<string, string>>,
  ask: (session: Session) => Promise<ServerReply>,
  situation = '',
): AssumptionProbe {
  return probe(id, needs, async (session) => {
    const reply = await ask(session)
    const code = codeOf(reply)
    assertSeen(code !== undefined, `${describeReply(reply)}, without an error.code`)
    const from = `${describeReply(reply)} with the code ${code}${situation}`
    return byValue(Object.hasOwn(values, code) ? values[code] : undefined, from, reply)
  })
}

const appProbes: readonly AssumptionProbe[] = [
  probe('apps.list.shape', [], async (session) => {
    const reply = await fetchApps(session)
    assertSucceeded(reply)
    if (Array.isArray(reply.json)) return value('array', 'GET /apps is answered with a bare array')
    const isPage =
      Array.isArray(member(reply.json, 'data')) &&
      typeof member(reply.json, 'has_more') === 'boolean' &&
      member(reply.json, 'next_cursor') !== undefined
    return isPage
      ? value('data', 'GET /apps is answered with data, has_more and next_cursor')
      : unknown('GET /apps is answered with neither a bare array nor data, has_more and next_cursor', reply)
  }),
  statusProbe(
    'apps.create.status',
    ['writes'],
    { 201: '201', 200: '200' },
    async (session) => (await theApp(session)).reply,
  ),
  statusProbe('apps.delete.status', ['writes'], { 204: '204', 200: '200' }, async (session) => {
    const { path } = await make(session, '/apps', { name: session.newName() })
    const reply = await session.client.call('apps', 'DELETE', path)
    if (isSuccess(reply)) session.forget(path)
    return reply
  }),
  statusProbe(
    'apps.unknown-fields',
    ['writes'],
    { '2xx': 'ignore', 400: 'reject' },
    async (session) => {
      await theApp(session)
      return post(session, '/apps', { name: session.newName(), greenhouse_verify: 'x' })
    },
    ' to an unknown field',
  ),
  statusProbe('apps.unknown-query', [], { '2xx': 'ignore', 400: 'reject' }, (session) =>
    fetchApps(session, { query: 'greenhouse_verify=1' }),
  ),
  probe('apps.text-length', ['writes'], async (session) => {
    await theApp(session)
    const takes = async (length: number) => {
      return isTaken(await post(session, '/apps', { name: session.newName(), description: 'd'.repeat(length) }))
    }
    const lengths = [1_000, 1_001, 16_384, 16_385]
    const taken: boolean[] = []
    for (const length of lengths) taken.push(await takes(length))
    const longest = { '1000': '1000', '1110': '16384' }[taken.map(Number).join('')]
    const from = `of strings of ${lengths.join(', ')} characters it accepts ${lengths.filter((_, index) => taken[index]).join(', ') || 'none'}`
    return byValue(longest, from)
  }),
]

const plantDeleteProbes: readonly AssumptionProbe[] = [
  statusProbe('plants.delete.status', ['writes'], { 204: '204', 200: '200' }, async (session) =>
    deleteMade(session, await makePlant(session)),
  ),
  statusProbe(
    'plants.delete.unknown',
    ['writes'],
    { 404: '404', 400: '400', 204: '204' },
    deleteUnknown,
    ' to an id that does not exist',
  ),
  statusProbe('plants.delete.invalid-id', ['writes'], { 400: '400', 404: '404' }, (session) =>
    removePlant(session, 'greenhouse-verify'),
  ),
  probe('plants.delete.foreign', ['writes', 'other-key'], async (session) => {
    const { id } = await makePlant(session, {}, session.options.otherKey)
    const reply = await removePlant(session, id)
    const from = `${describeReply(reply)} to another caller's plant`
    if (reply.status === 403) return value('403', from)
    const absent = await deleteUnknown(session)
    return reply.status === absent.status
      ? value('404', `${from}, as to one that does not exist`)
      : unknown(`${from}, and ${absent.status} to one that does not exist`, reply)
  }),
  statusProbe('plants.unknown-method', ['writes'], { 404: '404', 405: '405' }, ({ client }) =>
    client.call('plants', 'PUT', '/plants', { body: {} }),
  ),
]

function deleteUnknown(session: Session): Promise<ServerReply> {
  return session.once('unknown plant', async () => {
    const { id } = await makePlant(session)
    const reply = await deleteMade(session, { id })
    assertSucceeded(reply)
    return removePlant(session, id)
  })
}

/** The longest wait for a certificate, and the polling interval, in milliseconds. */
const patience = 40_000
const step = 2_000

const deploymentProbes: readonly AssumptionProbe[] = [
  probe('deployments.dns', ['writes'], async (session) => {
    const { state } = await verified(session)
    if (state !== 'pending_dns') return value('verified', 'the DNS records of a new domain are found at once')
    throw new Inconclusive(
      'the DNS records of a new domain are not found at once: a run is too short to show whether they are found later',
      ['pending', 'after-1h'],
    )
  }),
  probe('deployments.certificate', ['writes'], async (session) => {
    const { path, state, reply } = await verified(session)
    if (state === 'live') return value('instant', 'a deployment is live once its DNS records are found')
    assertSeen(state === 'issuing_certificate', `the deployment is ${String(state)}, and no certificate is issued`)
    const lack = session.lacks(['slow'])
    if (lack !== undefined) throw new Inconclusive(lack)
    for (;;) {
      await session.options.wait(step)
      const now = await session.client.call('apps', 'GET', path)
      const seconds = Math.round((now.at - reply.at) / 1_000)
      const from = `${seconds} s after its DNS records were found a deployment is ${String(member(now.json, 'state'))}`
      if (member(now.json, 'state') === 'failed') return value('fails', from)
      if (member(now.json, 'state') === 'live')
        return seconds >= 25 && seconds <= 36 ? value('30s', from) : unknown(from)
      if (now.at - reply.at > patience) return unknown(from, now)
    }
  }),
]

function verified(session: Session): Promise<{ path: string; state: unknown; reply: ServerReply }> {
  return session.once('deployment', async () => {
    const app = await make(session, '/apps', { name: session.newName() })
    const { path } = await make(session, `${app.path}/deployments`, { domain: `${session.newName()}.example.com` })
    const reply = await session.client.call('apps', 'POST', `${path}/verify`)
    assertSucceeded(reply)
    return { path, state: member(reply.json, 'state'), reply }
  })
}

/** The probes, in the order in which they run: those that spend the rate limit come last. */
export const probes: readonly AssumptionProbe[] = [
  ...plantListProbes,
  ...plantCreateProbes,
  ...plantDeleteProbes,
  ...authProbes,
  ...appProbes,
  ...webhookProbes,
  ...deploymentProbes,
  ...paidProbes,
  ...rateLimitProbes,
]
