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
function inWorld(change: (world: World) => unknown, ask: Prepared = ['GET', '/v1/apps?limit=2']): Prepared {
  return async (call, world) => {
    await change(world)
    return typeof ask === 'function' ? ask(call, world) : ask
  }
}

const use = (choice: Parameters<World['use']>[0]) => inWorld((world) => world.use(choice))

const create = (id: number, name = 'Fern'): Sent => ['POST', '/plants', { body: { id, name } }]

const createApp = (name: string, headers = {}): Sent => ['POST', '/v1/apps', { body: { name }, headers }]

const list = (limit: number, key?: string): Sent => ['GET', `/v1/apps?limit=${limit}`, { ...(key && { key }) }]

/** What a request may need, the status of its reply, and what its copied test must have, or must not. */
type Situation = readonly [what: string, status: number, ask: Prepared, code?: RegExp]

export const situations: readonly Situation[] = [
  [
    'a list of what was created, changed and deleted',
    200,
    async (call, world) => {
      await call(...create(900))
      await call(...create(901, 'Ivy'))
      await call('DELETE', '/plants/901')
      world.records.plants.update(900, { tag: 'green' })
      return ['GET', '/plants?limit=100']
    },
    /create\(\{ id: 900[^]*name: 'Fern', tag: 'green'/,
  ],
  [
    'a record with a long id',
    200,
    after(['POST', '/plants', { body: '{"id":9007199254740993,"name":"Fern"}' }], ['GET', '/plants?limit=100']),
  ],
  ['a creation', 200, create(900, "O'Fern ${1} `x`"), /, async \(\{ api \}\)/],
  [
    'a creation after others',
    201,
    after(createApp('one'), createApp('two'), createApp('three')),
    /const \{ id, \.\.\.body \} = /,
  ],
  [
    'a deletion of what was created',
    204,
    after(create(900), create(901), ['DELETE', '/plants/900']),
    /create\(\{ id: 900/,
  ],
  [
    'a change of what was changed before',
    200,
    after(
      createApp('first'),
      ['PATCH', '/v1/apps/ID', { body: { description: 'Helps' } }],
      ['PATCH', '/v1/apps/ID', { body: { name: 'second' } }],
    ),
    /records\.apps\.create/,
  ],
  ['a wrong body', 400, ['POST', '/v1/apps', { body: { name: 7 } }]],
  ['no JSON', 400, ['POST', '/plants', { body: '{"id":' }]],
  ['no key', 401, ['GET', '/plants', { key: null }]],
  ['a key that nobody has', 401, ['GET', '/v1/apps', { key: 'sk_0123456789abcdef' }]],
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
      await call('GET', '/v1/apps', bearer(secret))
      world.clock.advance('2h')
      return ['GET', '/v1/apps', bearer(secret)]
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
  [
    'what was deleted before',
    404,
    after(['DELETE', '/plants/101'], ['DELETE', '/plants/101']),
    /plants\.delete\(101\)/,
  ],
  ['a path that is none', 404, ['GET', '/v1/nowhere']],
  [
    'a deletion that the assumption allows',
    204,
    inWorld((world) => world.assume('plants.delete.unknown', '204'), ['DELETE', '/plants/77777']),
    /world\.assume\('plants\.delete\.unknown', '204'\)/,
  ],
  [
    'what exists already',
    409,
    inWorld((world) => world.assume('plants.create.duplicate-id', '409'), after(create(900), create(900))),
    /create\(\{ id: 900[^]*duplicate-id/,
  ],
  [
    'a quota that was spent',
    429,
    after(...Array.from({ length: 61 }, () => list(1, 'key_free'))),
    /quota: \[\{ window: 'minute'/,
  ],
  [
    'a counter of a scenario',
    429,
    inWorld((world) => world.use('rate-limited-plan:remaining=2'), after(list(1), list(2), list(3))),
  ],
  [
    'the second call of a scenario',
    503,
    inWorld(
      (world) => world.use({ title: 'second', respond: [{ on: 'apps.list', status: 503, after: 1, times: 1 }] }),
      after(['GET', '/plants'], list(1), list(2)),
    ),
    /^(?![^]*\/plants)[^]*await fetch\(api\.appsUrl \+ '\/apps\?limit=1'/,
  ],
  [
    'an Idempotency-Key that was used',
    201,
    after(createApp('first', { 'idempotency-key': 'one' }), createApp('first', { 'idempotency-key': 'one' })),
  ],
  ['a scenario of the request', 500, ['GET', '/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } }]],
  ['a stub', 418, use({ respond: [{ on: 'apps.list', status: 418, body: { error: 'tea' } }] }), /status: 418/],
  ['a connection that is cut', 0, use('connection-reset'), /rejects/],
  ['no reply at all', 0, use('timeout'), /AbortSignal\.timeout/],
  ['a reply that takes long', 200, use('slow:ms=300'), /world\.use\('slow:ms=300'\)/],
  ['a body that is cut', 200, use('truncated-body'), /text\.slice\(0/],
  ['a body that is no text', 200, use('invalid-utf8')],
  ['a malformation', 200, use({ malform: [{ on: 'apps.list', at: '/data/0/name', kind: 'null' }] } as never), /null/],
  [
    'a stream',
    200,
    inWorld((world) => world.clock.freeze(), ['POST', messages, { body: { content: 'Hi', stream: true } }]),
  ],
  [
    'the deliveries of a webhook',
    200,
    async (call, world) => {
      const hook = { url: 'http://127.0.0.1:1/', events: ['app.created'] }
      const { body } = await call('POST', '/v1/webhooks', { body: hook })
      await call(...createApp('new'))
      await world.settled()
      return ['GET', `/v1/webhooks/${body.id}/deliveries`]
    },
    /records\.deliveries\.create/,
  ],
  [
    'what time did',
    200,
    async (call, world) => {
      const { body } = await call('POST', '/v1/credits/purchases', { body: { amount: 100, payment_method: 'pm_ok' } })
      world.clock.advance('1d')
      return ['GET', `/v1/credits/purchases/${body.id}`]
    },
    /settled_at/,
  ],
  [
    'another plan',
    200,
    inWorld((world) => world.records.accounts.update('acct_pro', { plan: 'lite' }), ['GET', '/v1/account']),
    /accounts\.update\('acct_pro', \{ plan: 'lite' \}\)/,
  ],
  ...(
    [
      ['a creation', 200, create(900)],
      ['a deletion', 204, ['DELETE', '/plants/900']],
      ['a change of what is new', 200, ['PATCH', '/v1/apps/{app}', { body: { name: 'second' } }]],
    ] as const
  ).map(([what, status, [method, path, options]]): Situation => [
    `${what} after the journal was cleared`,
    status,
    async (call, world) => {
      const { body } = await call(...createApp('first'))
      if (method === 'DELETE') await call(...create(900))
      world.journal.clear()
      return [method, path.replace('{app}', body.id), options]
    },
  ]),
]
