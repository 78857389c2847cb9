import type { VerifyCall } from './client.ts'
import { type VerifyRule } from './finding.ts'
import type { Session } from './session.ts'
import {
  assertHolds,
  assertSeen,
  assertStatus,
  describeReply,
  Inconclusive,
  isSuccess,
  mayBePage,
  member,
  type ServerReply,
} from './wire.ts'

export interface MadeResource {
  readonly id: string
  readonly path: string
  readonly reply: ServerReply
}

export async function post(session: Session, path: string, body: unknown, call: VerifyCall = {}): Promise<ServerReply> {
  const reply = await session.client.call('apps', 'POST', path, { ...call, body })
  const id = member(reply.json, 'id')
  if (isSuccess(reply) && typeof id === 'string') {
    const made = `${path}/${encodeURIComponent(id)}`
    session.cleanUpLater(made, () => session.client.call('apps', 'DELETE', made, { key: call.key, cleansUp: true }))
  }
  return reply
}

export async function make(session: Session, path: string, body: unknown, call?: VerifyCall): Promise<MadeResource> {
  const reply = await post(session, path, body, call)
  const id = member(reply.json, 'id')
  if (!isSuccess(reply) || typeof id !== 'string')
    throw new Inconclusive(`nothing can be created: ${describeReply(reply)}`)
  return { id, path: `${path}/${encodeURIComponent(id)}`, reply }
}

export function theApp(session: Session): Promise<MadeResource> {
  return session.once('app', () => make(session, '/apps', { name: session.newName() }))
}

export function fetchApps(session: Session, call: VerifyCall = {}): Promise<ServerReply> {
  return session.client.call('apps', 'GET', '/apps', call)
}

export function itemsOf({ json }: ServerReply): readonly unknown[] | undefined {
  const data = Array.isArray(json) ? json : member(json, 'data')
  return Array.isArray(data) ? data : undefined
}

export function codeOf({ json }: ServerReply): string | undefined {
  const code = member(member(json, 'error'), 'code')
  return typeof code === 'string' ? code : undefined
}

const maxPages = 20

/** Returns the ids of all apps, the reply that completed them, and whether there may be more. @throws Inconclusive if it is not a list. */
async function listAllApps(session: Session, call: VerifyCall = {}) {
  const ids: unknown[] = []
  let query = 'limit=100'
  for (let page = 0; ; page++) {
    const reply = await fetchApps(session, { ...call, query })
    const items = itemsOf(reply)
    if (!isSuccess(reply) || items === undefined) throw new Inconclusive(describeReply(reply))
    ids.push(...items.map((item) => member(item, 'id')))
    const cursor = member(reply.json, 'next_cursor')
    if (typeof cursor !== 'string') return { ids, reply, mayHaveMore: page === 0 && mayBePage(ids.length) }
    if (page === maxPages) return { ids, reply, mayHaveMore: true }
    query = `limit=100&cursor=${encodeURIComponent(cursor)}`
  }
}

export function fetchNoApp({ client }: Session): Promise<ServerReply> {
  return client.call('apps', 'GET', '/apps/app_greenhouseverify')
}

export const appRules: readonly VerifyRule[] = [
  {
    id: 'apps.version',
    words: 'The base URL of app management ends with /v1.',
    async probe({ options }) {
      const { pathname } = new URL(options.targets.apps!)
      assertHolds(pathname.endsWith('/v1'), `the path of the URL ends with "${pathname}"`)
    },
  },
  {
    id: 'apps.list',
    words: "GET /apps lists the caller's apps.",
    async probe(session) {
      const reply = await fetchApps(session)
      assertHolds(isSuccess(reply), describeReply(reply), reply)
      assertHolds(itemsOf(reply) !== undefined, 'the body is not a list, neither bare nor in "data"', reply)
    },
  },
  {
    id: 'apps.list.created',
    words: 'An app that was created is listed.',
    needs: ['writes'],
    async probe(session) {
      const { id } = await theApp(session)
      const { ids, reply, mayHaveMore } = await session.until(
        () => listAllApps(session),
        (list) => list.ids.includes(id),
      )
      assertSeen(ids.includes(id) || !mayHaveMore, `the list has ${ids.length} apps, and may have more`)
      assertSeen(ids.includes(id) || !ids.includes(undefined), 'the list has apps without an id')
      assertHolds(ids.includes(id), `the app ${id} is not in the list`, reply)
    },
  },
  {
    id: 'apps.list.own',
    words: "Another caller's apps are not listed.",
    needs: ['other-key'],
    async probe(session) {
      const call = { key: session.options.otherKey! }
      const canMake = session.lacks(['writes']) === undefined
      const made = canMake ? await post(session, '/apps', { name: session.newName() }, call) : undefined
      const listed = (await listAllApps(session, call)).ids
      const others: unknown[] = [...listed, member(made?.json, 'id')].filter((id) => id !== undefined)
      assertSeen(others.length > 0, 'the other caller has no app')
      const { ids, reply } = await listAllApps(session)
      const shared = ids.find((id) => others.includes(id))
      assertHolds(shared === undefined, `the app ${String(shared)} of another caller is in the list`, reply)
    },
  },
  {
    id: 'apps.status.404',
    words: 'What does not exist is answered with 404.',
    async probe(session) {
      assertStatus(await fetchNoApp(session), 404)
    },
  },
  {
    id: 'apps.status.404-foreign',
    words: "Another caller's app is answered as one that does not exist, or with 403.",
    needs: ['writes', 'other-key'],
    async probe(session) {
      const key = session.options.otherKey!
      const { path } = await session.once('foreign app', () =>
        make(session, '/apps', { name: session.newName() }, { key }),
      )
      const reply = await session.client.call('apps', 'GET', path)
      assertHolds(reply.status === 404 || reply.status === 403, describeReply(reply), reply)
    },
  },
  {
    id: 'apps.status.400',
    words: 'Invalid parameters are answered with 400.',
    needs: ['writes'],
    async probe(session) {
      await theApp(session)
      const reply = await post(session, '/apps', { name: 17 })
      assertHolds(reply.status === 400, `${describeReply(reply)} to an app whose name is a number`, reply)
    },
  },
  {
    id: 'apps.status.403',
    words: 'What the key does not permit is answered with 403.',
    needs: ['writes', 'limited-key'],
    async probe(session) {
      await theApp(session)
      const reply = await post(session, '/apps', { name: session.newName() }, { key: session.options.limitedKey! })
      assertHolds(reply.status === 403, `${describeReply(reply)} to a key that may only read`, reply)
    },
  },
]
