import * as z from 'zod/mini'
import { listSchema } from '../../../areas/apps/declare.ts'
import {
  valueOrUnknown,
  gap,
  inLane,
  acceptance,
  lengthGap,
  type ProbeTools,
  rule,
  statusGap,
  statusRule,
  unknownValue,
  foundValue,
} from '../probe.ts'
import {
  assertConclusive,
  assertHolds,
  assertSeen,
  InconclusiveError,
  member,
  type ServerReply,
  valuesOfAssumption,
} from '../wire.ts'
import { isTime, monthOf, startOfMonth, toTimestamp } from '../../../core/time/time-text.ts'
import type { Session } from '../session.ts'

export const appRules = [
  rule('apps.version', [], async ({ session: { options } }) => {
    const { pathname } = new URL(String(options.targets.apps))
    assertHolds(pathname.endsWith('/v1'), undefined, `the path of the URL ends with "${pathname}"`)
  }),
  rule('apps.list', [], async ({ apps }) => {
    const reply = await apps.fetch()
    reply.assert(reply.isSuccess)
    assertHolds(
      reply.items !== undefined,
      reply,
      'the body is not a list, neither bare nor in "data"',
    )
  }),
  rule('apps.list.created', ['writes'], async ({ session, apps }) => {
    const { id } = await apps.first()
    const { ids, reply, mayHaveMore } = await session.poll(
      () => apps.all(),
      (list) => list.ids.includes(id),
    )
    assertSeen(
      ids.includes(id) || !mayHaveMore,
      `the list has ${ids.length} apps, and may have more`,
    )
    assertSeen(ids.includes(id) || !ids.includes(undefined), 'the list has apps without an id')
    assertHolds(ids.includes(id), reply, `the app ${id} is not in the list`)
  }),
  rule('apps.list.own', ['other-key'], async ({ session, apps, key }) => {
    const call = { key: key('other-key') }
    const canMake = session.whyUnable(['writes']) === undefined
    const made = canMake ? await apps.post('/apps', { name: session.newName() }, call) : undefined
    const listed = (await apps.all(call)).ids
    const others: unknown[] = [...listed, member(made?.json, 'id')].filter((id) => id !== undefined)
    assertSeen(others.length > 0, 'the other caller has no app')
    const { ids, reply } = await apps.all()
    const shared = ids.find((id) => others.includes(id))
    assertHolds(
      shared === undefined,
      reply,
      `the app ${String(shared)} of another caller is in the list`,
    )
  }),
  statusRule('apps.status.404', [], ({ apps }) => apps.fetchNone(), { statuses: [404] }),
  statusRule(
    'apps.status.404-foreign',
    ['writes', 'other-key'],
    async ({ session, apps, key }) => {
      const { path } = await session.remember('foreign app', () =>
        apps.makeApp({ key: key('other-key') }),
      )
      return session.call('GET', path)
    },
    { statuses: [404, 403] },
  ),
  statusRule('apps.status.400', ['writes'], ({ apps }) => apps.postNext({ name: 17 }), {
    statuses: [400],
    situation: ' to an app whose name is a number',
  }),
  statusRule(
    'apps.status.403',
    ['writes', 'limited-key'],
    ({ session, apps, key }) =>
      apps.postNext({ name: session.newName() }, { key: key('limited-key') }),
    {
      statuses: [403],
      situation: ' to a key that may only read',
    },
  ),
]

export const appGaps = [
  gap('apps.list.shape', [], async ({ apps }) => {
    const reply = await apps.fetch()
    reply.assertSucceeded()
    if (Array.isArray(reply.json))
      return foundValue('array', 'GET /apps is answered with a bare array')
    if (listSchema(z.unknown()).safeParse(reply.json).success)
      return foundValue('data', 'GET /apps is answered with data, has_more and next_cursor')
    return unknownValue(
      'GET /apps is answered with neither a bare array nor data, has_more and next_cursor',
    )
  }),
  statusGap('apps.create.status', ['writes'], async ({ apps }) => (await apps.first()).reply),
  statusGap('apps.delete.status', ['writes'], async ({ session, apps }) => {
    const { path } = await apps.makeApp()
    const reply = await session.call('DELETE', path)
    if (reply.isSuccess) session.forget(path)
    return reply
  }),
  statusGap(
    'apps.unknown-fields',
    ['writes'],
    ({ session, apps }) =>
      apps.postNext({
        name: session.newName(),
        greenhouse_verify: 'x',
      }),
    {
      situation: ' to an unknown field',
      values: acceptance,
    },
  ),
  statusGap('apps.unknown-query', [], ({ apps }) => apps.fetch({ query: 'greenhouse_verify=1' }), {
    values: acceptance,
  }),
  lengthGap('apps.text-length', 'strings', ({ session, apps }, description) =>
    apps.postNext({
      name: session.newName(),
      description,
    }),
  ),
]

/** The longest wait for a certificate, and the polling interval, in milliseconds. */
const certificateTime = 40_000
const certificateStep = 2_000

export const deploymentGaps = inLane('deployment', [
  gap('deployments.dns', ['writes'], async (tools) => {
    const { state } = await verified(tools)
    if (state !== 'pending_dns')
      return foundValue('verified', 'the DNS records of a new domain are found at once')
    throw new InconclusiveError(
      'the DNS records of a new domain are not found at once: a run is too short to show whether they are found later',
      valuesOfAssumption('deployments.dns').filter((one) => one !== 'verified'),
    )
  }),
  gap('deployments.certificate', ['writes'], async (tools) => {
    const { session } = tools
    const { path, state, reply } = await verified(tools)
    if (state === 'live')
      return foundValue('instant', 'a deployment is live once its DNS records are found')
    assertSeen(
      state === 'issuing_certificate',
      `the deployment is ${String(state)}, and no certificate is issued`,
    )
    assertConclusive(session.whyUnable(['slow']))
    for (;;) {
      await session.options.wait(certificateStep)
      const now = await session.call('GET', path)
      const seconds = Math.round((now.at - reply.at) / 1_000)
      const reached = member(now.json, 'state')
      const from = `${seconds} s after its DNS records were found a deployment is ${String(reached)}`
      if (reached === 'failed') return foundValue('fails', from)
      if (reached === 'live')
        return valueOrUnknown(seconds >= 25 && seconds <= 36 ? '30s' : undefined, from)
      if (now.at - reply.at > certificateTime) return unknownValue(from)
    }
  }),
])

function verified({ session, apps }: ProbeTools): Promise<{
  path: string
  state: unknown
  reply: ServerReply
}> {
  return session.remember('deployment', async () => {
    const app = await apps.makeApp()
    const { path } = await apps.make(`${app.path}/deployments`, {
      domain: `${session.newName()}.example.com`,
    })
    const reply = await session.call('POST', `${path}/verify`)
    reply.assertSucceeded()
    return {
      path,
      state: member(reply.json, 'state'),
      reply,
    }
  })
}

/** The longest wait for a purchase, and the polling interval, in milliseconds. */
const settlingTime = 6_000
const settlingStep = 500
const day = 86_400_000

const isTimeText = (value: unknown): value is string => typeof value === 'string' && isTime(value)

export const paidGaps = inLane('credits', [
  gap('usage.messages', ['spending'], async ({ session, apps }) => {
    const app = await apps.makeApp()
    const sent = await session.call('POST', await converse(session, app), {
      body: { content: 'Hello' },
    })
    assertSeen(sent.isSuccess, `no message can be sent: ${sent}`)
    const reply = await session.call('GET', `${app.path}/usage`)
    const count = member(member(reply.json, 'totals'), 'messages')
    assertSeen(reply.isSuccess && typeof count === 'number', `${reply}, without totals.messages`)
    const from = `after one message and its answer totals.messages is ${count}`
    return valueOrUnknown(
      {
        1: 'user',
        2: 'both',
      }[count],
      from,
    )
  }),
  statusGap('messages.stream.status', ['spending'], async ({ session, apps }) => {
    const path = await converse(session, await apps.first())
    const reply = await session.call('POST', path, {
      body: {
        content: 'Hello',
        stream: true,
      },
    })
    assertSeen(reply.mediaType === 'text/event-stream', `${reply}, but not with a stream`)
    return reply
  }),
  statusGap(
    'messages.no-credits',
    ['writes'],
    async ({ session, apps }) => {
      const key = await findPoorKey(session)
      const path = await converse(session, await apps.makeApp({ key }), key)
      return session.call('POST', path, {
        key,
        body: { content: 'Hello' },
      })
    },
    { situation: ' to a caller without credits' },
  ),
  gap('payments.period', [], async ({ session }) => {
    const reply = await session.call('GET', '/subscription')
    const [from, to] = [member(reply.json, 'period_start'), member(reply.json, 'period_end')]
    assertSeen(reply.isSuccess && isTimeText(from) && isTimeText(to), `${reply}, without a period`)
    const [start, end] = [toTimestamp(from), toTimestamp(to)]
    const days = (end - start) / day
    const seen = `the period from ${from} to ${to} has ${days} days`
    if (days === 30 && isMonthAfter(start, end))
      throw new InconclusiveError(`${seen}, which is also a calendar month`, ['30d', 'month'])
    if (days === 30) return foundValue('30d', seen)
    if (isMonthAfter(start, end)) return foundValue('month', seen)
    return unknownValue(seen)
  }),
  gap('payments.settle', ['spending'], async ({ session }) => {
    const body = {
      amount: 1,
      payment_method: 'pm_ok',
    }
    const reply = await session.call('POST', '/credits/purchases', { body })
    const id = member(reply.json, 'id')
    if (reply.isSuccess)
      session.bought.push(`1 credit${typeof id === 'string' ? `, with the purchase ${id}` : ''}`)
    assertSeen(reply.isSuccess && typeof id === 'string', `no credits can be bought: ${reply}`)
    if (member(reply.json, 'status') === 'succeeded')
      return foundValue('instant', 'a purchase succeeds at once')
    const startedAt = session.options.now()
    while (session.options.now() - startedAt < settlingTime) {
      await session.options.wait(settlingStep)
      const now = await session.call('GET', `/credits/purchases/${id}`)
      if (member(now.json, 'status') !== 'succeeded') continue
      const seconds = (session.options.now() - startedAt) / 1_000
      const from = `a purchase has succeeded after ${seconds.toFixed(1)} s`
      return valueOrUnknown(seconds > 2 && seconds < 5 ? '3s' : undefined, from)
    }
    throw new InconclusiveError(
      `a purchase is still pending after ${settlingTime / 1_000} s: a run is too short to show for how long`,
      ['1h'],
    )
  }),
])

async function converse(
  session: Session,
  { path }: { path: string },
  key = session.options.key,
): Promise<string> {
  const reply = await session.call('POST', `${path}/conversations`, {
    key,
    body: {},
  })
  const id = member(reply.json, 'id')
  assertSeen(reply.isSuccess && typeof id === 'string', `no conversation can be started: ${reply}`)
  return `${path}/conversations/${encodeURIComponent(id)}/messages`
}

async function findPoorKey(session: Session): Promise<string> {
  const { key, otherKey } = session.options
  for (const candidate of [key, otherKey]) {
    if (candidate === undefined) continue
    const reply = await session.call('GET', '/credits', { key: candidate })
    if (reply.isSuccess && member(reply.json, 'balance') === 0) return candidate
  }
  throw new InconclusiveError('neither --key nor --other-key belongs to a caller without credits')
}

function isMonthAfter(start: number, end: number): boolean {
  const month = monthOf(start) + 1
  const into = start - startOfMonth(month - 1)
  return end === Math.min(startOfMonth(month) + into, startOfMonth(month + 1) - day + (into % day))
}
