import {
  byValue,
  gap,
  inLane,
  isTaken,
  type ProbeTools,
  rule,
  statusGap,
  statusRule,
  unknown,
  value,
} from '../probe.ts'
import { assertHolds, assertSeen, Inconclusive, member, type ServerReply } from '../wire.ts'

export const appRules = [
  rule('apps.version', 'The base URL of app management ends with /v1.', [], async ({ session: { options } }) => {
    const { pathname } = new URL(options.targets.apps!)
    assertHolds(pathname.endsWith('/v1'), undefined, `the path of the URL ends with "${pathname}"`)
  }),
  rule('apps.list', "GET /apps lists the caller's apps.", [], async ({ apps }) => {
    const reply = await apps.fetch()
    reply.assert(reply.isSuccess)
    assertHolds(reply.items !== undefined, reply, 'the body is not a list, neither bare nor in "data"')
  }),
  rule('apps.list.created', 'An app that was created is listed.', ['writes'], async ({ session, apps }) => {
    const { id } = await apps.first()
    const { ids, reply, mayHaveMore } = await session.until(
      () => apps.all(),
      (list) => list.ids.includes(id),
    )
    assertSeen(ids.includes(id) || !mayHaveMore, `the list has ${ids.length} apps, and may have more`)
    assertSeen(ids.includes(id) || !ids.includes(undefined), 'the list has apps without an id')
    assertHolds(ids.includes(id), reply, `the app ${id} is not in the list`)
  }),
  rule('apps.list.own', "Another caller's apps are not listed.", ['other-key'], async ({ session, apps }) => {
    const call = { key: session.options.otherKey! }
    const canMake = session.lacks(['writes']) === undefined
    const made = canMake ? await apps.post('/apps', { name: session.newName() }, call) : undefined
    const listed = (await apps.all(call)).ids
    const others: unknown[] = [...listed, member(made?.json, 'id')].filter((id) => id !== undefined)
    assertSeen(others.length > 0, 'the other caller has no app')
    const { ids, reply } = await apps.all()
    const shared = ids.find((id) => others.includes(id))
    assertHolds(shared === undefined, reply, `the app ${String(shared)} of another caller is in the list`)
  }),
  statusRule('apps.status.404', 'What does not exist is answered with 404.', [], 404, ({ apps }) => apps.fetchNone()),
  statusRule(
    'apps.status.404-foreign',
    "Another caller's app is answered as one that does not exist, or with 403.",
    ['writes', 'other-key'],
    [404, 403],
    async ({ session, apps }) => {
      const { path } = await session.once('foreign app', () => apps.makeApp({ key: session.options.otherKey! }))
      return session.call('GET', path)
    },
  ),
  statusRule(
    'apps.status.400',
    'Invalid parameters are answered with 400.',
    ['writes'],
    400,
    ({ apps }) => apps.postNext({ name: 17 }),
    ' to an app whose name is a number',
  ),
  statusRule(
    'apps.status.403',
    'What the key does not permit is answered with 403.',
    ['writes', 'limited-key'],
    403,
    ({ session, apps }) => apps.postNext({ name: session.newName() }, { key: session.options.limitedKey! }),
    ' to a key that may only read',
  ),
]

export const appGaps = [
  gap('apps.list.shape', [], async ({ apps }) => {
    const reply = await apps.fetch()
    reply.assertSucceeded()
    if (Array.isArray(reply.json)) return value('array', 'GET /apps is answered with a bare array')
    const isPage =
      reply.items !== undefined &&
      typeof member(reply.json, 'has_more') === 'boolean' &&
      member(reply.json, 'next_cursor') !== undefined
    return isPage
      ? value('data', 'GET /apps is answered with data, has_more and next_cursor')
      : unknown('GET /apps is answered with neither a bare array nor data, has_more and next_cursor', reply)
  }),
  statusGap(
    'apps.create.status',
    ['writes'],
    { 201: '201', 200: '200' },
    async ({ apps }) => (await apps.first()).reply,
  ),
  statusGap('apps.delete.status', ['writes'], { 204: '204', 200: '200' }, async ({ session, apps }) => {
    const { path } = await apps.makeApp()
    const reply = await session.call('DELETE', path)
    if (reply.isSuccess) session.forget(path)
    return reply
  }),
  statusGap(
    'apps.unknown-fields',
    ['writes'],
    { '2xx': 'ignore', 400: 'reject' },
    ({ session, apps }) => apps.postNext({ name: session.newName(), greenhouse_verify: 'x' }),
    ' to an unknown field',
  ),
  statusGap('apps.unknown-query', [], { '2xx': 'ignore', 400: 'reject' }, ({ apps }) =>
    apps.fetch({ query: 'greenhouse_verify=1' }),
  ),
  gap('apps.text-length', ['writes'], async ({ session, apps }) => {
    const lengths = [1_000, 1_001, 16_384, 16_385]
    const taken: number[] = []
    for (const length of lengths) {
      const body = { name: session.newName(), description: 'd'.repeat(length) }
      if (isTaken(await apps.postNext(body))) taken.push(length)
    }
    const longest = { '1000': '1000', '1000 1001 16384': '16384' }[taken.join(' ')]
    return byValue(longest, `of strings of ${lengths.join(', ')} characters it accepts ${taken.join(', ') || 'none'}`)
  }),
]

/** The longest wait for a certificate, and the polling interval, in milliseconds. */
const patience = 40_000
const step = 2_000

export const deploymentGaps = inLane('deployment', [
  gap('deployments.dns', ['writes'], async (tools) => {
    const { state } = await verified(tools)
    if (state !== 'pending_dns') return value('verified', 'the DNS records of a new domain are found at once')
    throw new Inconclusive(
      'the DNS records of a new domain are not found at once: a run is too short to show whether they are found later',
      ['pending', 'after-1h'],
    )
  }),
  gap('deployments.certificate', ['writes'], async (tools) => {
    const { session } = tools
    const { path, state, reply } = await verified(tools)
    if (state === 'live') return value('instant', 'a deployment is live once its DNS records are found')
    assertSeen(state === 'issuing_certificate', `the deployment is ${String(state)}, and no certificate is issued`)
    const lack = session.lacks(['slow'])
    if (lack !== undefined) throw new Inconclusive(lack)
    for (;;) {
      await session.options.wait(step)
      const now = await session.call('GET', path)
      const seconds = Math.round((now.at - reply.at) / 1_000)
      const from = `${seconds} s after its DNS records were found a deployment is ${String(member(now.json, 'state'))}`
      if (member(now.json, 'state') === 'failed') return value('fails', from)
      if (member(now.json, 'state') === 'live')
        return seconds >= 25 && seconds <= 36 ? value('30s', from) : unknown(from)
      if (now.at - reply.at > patience) return unknown(from, now)
    }
  }),
])

function verified({ session, apps }: ProbeTools): Promise<{ path: string; state: unknown; reply: ServerReply }> {
  return session.once('deployment', async () => {
    const app = await apps.makeApp()
    const { path } = await apps.make(`${app.path}/deployments`, { domain: `${session.newName()}.example.com` })
    const reply = await session.call('POST', `${path}/verify`)
    reply.assertSucceeded()
    return { path, state: member(reply.json, 'state'), reply }
  })
}
