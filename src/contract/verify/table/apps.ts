import { fetchApps, fetchNoApp, itemsOf, make, post, theApp } from '../apps.ts'
import type { VerifyCall } from '../client.ts'
import { byValue, gap, inLane, isTaken, type Probe, statusGap, statusRule, unknown, value } from '../probe.ts'
import type { Session } from '../session.ts'
import { assertHolds, assertSeen, Inconclusive, mayBePage, member, type ServerReply } from '../wire.ts'

const maxPages = 20

/** Returns the ids of all apps, the reply that completed them, and whether there may be more. @throws Inconclusive if it is not a list. */
async function listAllApps(session: Session, call: VerifyCall = {}) {
  const ids: unknown[] = []
  let query = 'limit=100'
  for (let page = 0; ; page++) {
    const reply = await fetchApps(session, { ...call, query })
    const items = itemsOf(reply)
    if (!reply.isSuccess || items === undefined) throw new Inconclusive(String(reply))
    ids.push(...items.map((item) => member(item, 'id')))
    const cursor = member(reply.json, 'next_cursor')
    if (typeof cursor !== 'string') return { ids, reply, mayHaveMore: page === 0 && mayBePage(ids.length) }
    if (page === maxPages) return { ids, reply, mayHaveMore: true }
    query = `limit=100&cursor=${encodeURIComponent(cursor)}`
  }
}

/** Sends an app that is not the first one: a server that takes no app at all proves nothing. */
async function postNext(session: Session, body: unknown, call?: VerifyCall): Promise<ServerReply> {
  await theApp(session)
  return post(session, '/apps', body, call)
}

export const appRules: readonly Probe[] = [
  {
    id: 'apps.version',
    words: 'The base URL of app management ends with /v1.',
    async run({ options }) {
      const { pathname } = new URL(options.targets.apps!)
      assertHolds(pathname.endsWith('/v1'), undefined, `the path of the URL ends with "${pathname}"`)
    },
  },
  {
    id: 'apps.list',
    words: "GET /apps lists the caller's apps.",
    async run(session) {
      const reply = await fetchApps(session)
      reply.assert(reply.isSuccess)
      assertHolds(itemsOf(reply) !== undefined, reply, 'the body is not a list, neither bare nor in "data"')
    },
  },
  {
    id: 'apps.list.created',
    words: 'An app that was created is listed.',
    needs: ['writes'],
    async run(session) {
      const { id } = await theApp(session)
      const { ids, reply, mayHaveMore } = await session.until(
        () => listAllApps(session),
        (list) => list.ids.includes(id),
      )
      assertSeen(ids.includes(id) || !mayHaveMore, `the list has ${ids.length} apps, and may have more`)
      assertSeen(ids.includes(id) || !ids.includes(undefined), 'the list has apps without an id')
      assertHolds(ids.includes(id), reply, `the app ${id} is not in the list`)
    },
  },
  {
    id: 'apps.list.own',
    words: "Another caller's apps are not listed.",
    needs: ['other-key'],
    async run(session) {
      const call = { key: session.options.otherKey! }
      const canMake = session.lacks(['writes']) === undefined
      const made = canMake ? await post(session, '/apps', { name: session.newName() }, call) : undefined
      const listed = (await listAllApps(session, call)).ids
      const others: unknown[] = [...listed, member(made?.json, 'id')].filter((id) => id !== undefined)
      assertSeen(others.length > 0, 'the other caller has no app')
      const { ids, reply } = await listAllApps(session)
      const shared = ids.find((id) => others.includes(id))
      assertHolds(shared === undefined, reply, `the app ${String(shared)} of another caller is in the list`)
    },
  },
  statusRule('apps.status.404', 'What does not exist is answered with 404.', [], 404, fetchNoApp),
  statusRule(
    'apps.status.404-foreign',
    "Another caller's app is answered as one that does not exist, or with 403.",
    ['writes', 'other-key'],
    [404, 403],
    async (session) => {
      const call = { key: session.options.otherKey! }
      const { path } = await session.once('foreign app', () =>
        make(session, '/apps', { name: session.newName() }, call),
      )
      return session.client.call('apps', 'GET', path)
    },
  ),
  statusRule(
    'apps.status.400',
    'Invalid parameters are answered with 400.',
    ['writes'],
    400,
    (session) => postNext(session, { name: 17 }),
    ' to an app whose name is a number',
  ),
  statusRule(
    'apps.status.403',
    'What the key does not permit is answered with 403.',
    ['writes', 'limited-key'],
    403,
    (session) => postNext(session, { name: session.newName() }, { key: session.options.limitedKey! }),
    ' to a key that may only read',
  ),
]

export const appGaps: readonly Probe[] = [
  gap('apps.list.shape', [], async (session) => {
    const reply = await fetchApps(session)
    reply.assertSucceeded()
    if (Array.isArray(reply.json)) return value('array', 'GET /apps is answered with a bare array')
    const isPage =
      Array.isArray(member(reply.json, 'data')) &&
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
    async (session) => (await theApp(session)).reply,
  ),
  statusGap('apps.delete.status', ['writes'], { 204: '204', 200: '200' }, async (session) => {
    const { path } = await make(session, '/apps', { name: session.newName() })
    const reply = await session.client.call('apps', 'DELETE', path)
    if (reply.isSuccess) session.forget(path)
    return reply
  }),
  statusGap(
    'apps.unknown-fields',
    ['writes'],
    { '2xx': 'ignore', 400: 'reject' },
    (session) => postNext(session, { name: session.newName(), greenhouse_verify: 'x' }),
    ' to an unknown field',
  ),
  statusGap('apps.unknown-query', [], { '2xx': 'ignore', 400: 'reject' }, (session) =>
    fetchApps(session, { query: 'greenhouse_verify=1' }),
  ),
  gap('apps.text-length', ['writes'], async (session) => {
    const lengths = [1_000, 1_001, 16_384, 16_385]
    const taken: number[] = []
    for (const length of lengths) {
      const body = { name: session.newName(), description: 'd'.repeat(length) }
      if (isTaken(await postNext(session, body))) taken.push(length)
    }
    const longest = { '1000': '1000', '1000 1001 16384': '16384' }[taken.join(' ')]
    return byValue(longest, `of strings of ${lengths.join(', ')} characters it accepts ${taken.join(', ') || 'none'}`)
  }),
]

/** The longest wait for a certificate, and the polling interval, in milliseconds. */
const patience = 40_000
const step = 2_000

export const deploymentGaps = inLane('deployment', [
  gap('deployments.dns', ['writes'], async (session) => {
    const { state } = await verified(session)
    if (state !== 'pending_dns') return value('verified', 'the DNS records of a new domain are found at once')
    throw new Inconclusive(
      'the DNS records of a new domain are not found at once: a run is too short to show whether they are found later',
      ['pending', 'after-1h'],
    )
  }),
  gap('deployments.certificate', ['writes'], async (session) => {
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
])

function verified(session: Session): Promise<{ path: string; state: unknown; reply: ServerReply }> {
  return session.once('deployment', async () => {
    const app = await make(session, '/apps', { name: session.newName() })
    const { path } = await make(session, `${app.path}/deployments`, { domain: `${session.newName()}.example.com` })
    const reply = await session.client.call('apps', 'POST', `${path}/verify`)
    reply.assertSucceeded()
    return { path, state: member(reply.json, 'state'), reply }
  })
}
