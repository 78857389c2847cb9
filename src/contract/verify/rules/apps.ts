import { itemsOf, listAllApps, fetchApps, make, post, theApp } from '../apps.ts'
import type { VerifyRule } from '../definitions.ts'
import { assertHolds, assertSeen, describeReply } from '../finding.ts'
import { isSuccess, member } from '../wire.ts'

export const noApp = 'app_greenhouseverify'

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
    async probe({ client }) {
      const reply = await client.call('apps', 'GET', `/apps/${noApp}`)
      assertHolds(reply.status === 404, describeReply(reply), reply)
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
