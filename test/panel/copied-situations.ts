import type { World } from 'greenhouse-mock'
import type { Prepared, Sent } from '../malformations/requests.ts'

const bearer = (key: string) => ({ key: null, headers: { authorization: `Bearer ${key}` } })

const messages = '/v1/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'

/** The last of these requests, after the others. `ID` in a path is that of the first reply. */
function after(...sent: readonly Sent[]): Prepared {
  return async (call) => {
    const ids: string[] = []
    const toPath = (path: string) => path.replace('ID', ids[0]!)
    for (const [method, path, options] of sent.slice(0, -1))
      ids.push((await call(method, toPath(path), options)).body?.id)
    const [method, path, options] = sent.at(-1)!
    return [method, toPath(path), options]
  }
}

/** A request in a world that was changed. */
function inWorld(change: (world: World) => unknown, ask: Prepared = list(2)): Prepared {
  return async (call, world) => {
    await change(world)
    return typeof ask === 'function' ? ask(call, world) : ask
  }
}

type Choice = Parameters<World['use']>[0]

const use = (choice: Choice, ask?: Prepared) => inWorld((world) => world.use(choice), ask)
const assume = (id: string, value: string, ask: Prepared) => inWorld((world) => world.assume({ [id]: value }), ask)
const get = (path: string, options = {}): Sent => ['GET', path, options]
const post = (path: string, body: unknown, headers = {}): Sent => ['POST', path, { body, headers }]
const patch = (body: object): Sent => ['PATCH', '/v1/apps/ID', { body }]
const del = (id: number): Sent => ['DELETE', `/plants/${id}`]
const create = (id: number, name = 'Fern') => post('/plants', { id, name })
const createApp = (name: string, headers = {}) => post('/v1/apps', { name }, headers)
const list = (limit: number, key?: string) => get(`/v1/apps?limit=${limit}`, { ...(key && { key }) })
const lists = (...limits: readonly number[]) => after(...limits.map((limit) => list(limit)))

/** What a request may need, the status of its reply, and what its copied test must have, or must not. */
type Situation = readonly [what: string, status: number, ask: Prepared, code?: RegExp]

const second: Choice = { title: 'second', respond: [{ on: 'apps.list', status: 503, after: 1, times: 1 }] }
const stub: Choice = { respond: [{ on: 'apps.list', status: 418, body: { error: 'tea' } }] }
const malformed = { malform: [{ on: 'apps.list', at: '/data/0/name', kind: 'null' }] } as never
const once = { 'idempotency-key': 'one' }
const thenPlants = get('/plants?limit=100')
const apps = ['one', 'two', 'three'].map((name) => createApp(name))

export const situations: readonly Situation[] = [
  [
    'a list of what was created, changed and deleted',
    200,
    async (call, world) => {
      await call(...create(900))
      await call(...create(901, 'Ivy'))
      await call(...del(901))
      world.records.plants.update(900, { tag: 'green' })
      return thenPlants
    },
    /create\(\{ id: 900[^]*name: 'Fern', tag: 'green'/,
  ],
  ['a record with a long id', 200, after(post('/plants', '{"id":9007199254740993,"name":"Fern"}'), thenPlants)],
  ['a creation', 200, create(900, "O'Fern ${1} `x`"), /, async \(\{ api \}\)/],
  ['a creation after others', 201, after(...apps), /const \{ id, \.\.\.body \} = /],
  ['a deletion of what was created', 204, after(create(900), create(901), del(900)), /create\(\{ id: 900/],
  [
    'a change of what was changed before',
    200,
    after(createApp('first'), patch({ description: 'Helps' }), patch({ name: 'second' })),
    /records\.apps\.create/,
  ],
  ['a wrong body', 400, post('/v1/apps', { name: 7 })],
  ['no JSON', 400, post('/plants', '{"id":')],
  ['no key', 401, get('/plants', { key: null })],
  ['a key that nobody has', 401, get('/v1/apps', { key: 'sk_0123456789abcdef' })],
  [
    'a key that was revoked',
    401,
    inWorld((world) => world.records.keys.update('key_pro', { revoked: true })),
    /keys\.update\('key_pro', \{ revoked: true \}\)/,
  ],
  [
    'a key that has expired since',
    401,
    async (call, world) => {
      const { secret } = await world.createKey({ account: 'acct_pro', expires_at: '2026-03-01T13:00:00Z' })
      await call(...get('/v1/apps', bearer(secret)))
      world.clock.advance('2h')
      return get('/v1/apps', bearer(secret))
    },
    /clock\.set\([^]*expires_at/,
  ],
  [
    'a generated key without the scope',
    403,
    async (_, world) => {
      const { secret } = await world.createKey({ account: 'acct_pro', scopes: ['plants:read'] })
      return ['POST', '/plants', { body: { id: 900, name: 'Fern' }, ...bearer(secret) }]
    },
    /Bearer key_copied'/,
  ],
  ['what was deleted before', 404, after(del(101), del(101)), /plants\.delete\(101\)/],
  ['a path that is none', 404, get('/v1/nowhere')],
  [
    'a deletion that the assumption allows',
    204,
    assume('plants.delete.unknown', '204', del(77777)),
    /world\.assume\('plants\.delete\.unknown', '204'\)/,
  ],
  [
    'what exists already',
    409,
    assume('plants.create.duplicate-id', '409', after(create(900), create(900))),
    /create\(\{ id: 900[^]*duplicate-id/,
  ],
  ['a quota that was spent', 429, after(...Array(61).fill(list(1, 'key_free'))), /quota: \[\{ window: 'minute'/],
  ['a counter of a scenario', 429, use('rate-limited-plan:remaining=2', lists(1, 2, 3))],
  [
    'the second call of a scenario',
    503,
    use(second, after(get('/plants'), list(1), list(2))),
    /^(?![^]*\/plants)[^]*await fetch\(api\.appsUrl \+ '\/apps\?limit=1'/,
  ],
  ['an Idempotency-Key that was used', 201, after(createApp('first', once), createApp('first', once))],
  ['a scenario of the request', 500, get('/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } })],
  ['a stub', 418, use(stub), /status: 418/],
  ['a connection that is cut', 0, use('connection-reset'), /rejects/],
  ['no reply at all', 0, use('timeout'), /AbortSignal\.timeout/],
  ['a reply that takes long', 200, use('slow:ms=300'), /world\.use\('slow:ms=300'\)/],
  ['a body that is cut', 200, use('truncated-body'), /text\.slice\(0/],
  ['a body that is no text', 200, use('invalid-utf8')],
  ['a malformation', 200, use(malformed), /null/],
  ['a stream', 200, inWorld((world) => world.clock.freeze(), post(messages, { content: 'Hi', stream: true }))],
  [
    'the deliveries of a webhook',
    200,
    async (call, world) => {
      const { body } = await call(...post('/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['app.created'] }))
      await call(...createApp('new'))
      await world.settled()
      return get(`/v1/webhooks/${body.id}/deliveries`)
    },
    /records\.deliveries\.create/,
  ],
  [
    'what time did',
    200,
    async (call, world) => {
      const { body } = await call(...post('/v1/credits/purchases', { amount: 100, payment_method: 'pm_ok' }))
      world.clock.advance('1d')
      return get(`/v1/credits/purchases/${body.id}`)
    },
    /settled_at/,
  ],
  [
    'another plan',
    200,
    inWorld((world) => world.records.accounts.update('acct_pro', { plan: 'lite' }), get('/v1/account')),
    /accounts\.update\('acct_pro', \{ plan: 'lite' \}\)/,
  ],
  ...(
    [
      ['a creation', 200, create(900)],
      ['a deletion', 204, del(900)],
      ['a change of what is new', 200, patch({ name: 'second' })],
    ] as const
  ).map(([what, status, [method, path, options]]): Situation => [
    `${what} after the journal was cleared`,
    status,
    async (call, world) => {
      const { body } = await call(...createApp('first'))
      if (method === 'DELETE') await call(...create(900))
      world.journal.clear()
      return [method, path.replace('ID', body.id), options]
    },
  ]),
]
