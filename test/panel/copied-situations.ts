import type { World } from 'greenhouse-mock'
import type { Prepared } from '../malformations/requests.ts'

const bearer = (key: string) => ({ key: null, headers: { authorization: `Bearer ${key}` } })

const messages = '/v1/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'

const use = (...choices: Parameters<World['use']>[0][]) =>
  (async (_, world) => {
    for (const choice of choices) world.use(choice)
    return ['GET', '/v1/apps?limit=2']
  }) satisfies Prepared

/** What a request may need, the status of its reply, and what its copied test must have, or must not. */
type Situation = readonly [what: string, status: number, ask: Prepared, code?: RegExp]

export const situations: readonly Situation[] = [
  [
    'a list of what was created, changed and deleted',
    200,
    async (call, world) => {
      await call('POST', '/plants', { body: { id: 900, name: 'Fern' } })
      await call('POST', '/plants', { body: { id: 901, name: 'Ivy' } })
      await call('DELETE', '/plants/901')
      world.records.plants.update(900, { tag: 'green' })
      return ['GET', '/plants?limit=100']
    },
    /create\(\{ id: 900[^]*name: 'Fern', tag: 'green'/,
  ],
  [
    'a record with a long id',
    200,
    async (call) => {
      await call('POST', '/plants', { body: '{"id":9007199254740993,"name":"Fern"}' })
      return ['GET', '/plants?limit=100']
    },
  ],
  ['a creation', 200, ['POST', '/plants', { body: { id: 900, name: "O'Fern ${1} `x`" } }], /, async \(\{ api \}\)/],
  [
    'a creation after others',
    201,
    async (call) => {
      for (const name of ['one', 'two']) await call('POST', '/v1/apps', { body: { name } })
      return ['POST', '/v1/apps', { body: { name: 'three' } }]
    },
    /const \{ id, \.\.\.body \} = /,
  ],
  [
    'a deletion of what was created',
    204,
    async (call) => {
      for (const id of [900, 901]) await call('POST', '/plants', { body: { id, name: 'Fern' } })
      return ['DELETE', '/plants/900']
    },
    /create\(\{ id: 900/,
  ],
  [
    'a change of what was changed before',
    200,
    async (call) => {
      const { body } = await call('POST', '/v1/apps', { body: { name: 'first' } })
      await call('PATCH', `/v1/apps/${body.id}`, { body: { description: 'Helps' } })
      return ['PATCH', `/v1/apps/${body.id}`, { body: { name: 'second' } }]
    },
    /records\.apps\.create/,
  ],
  ['a wrong body', 400, ['POST', '/v1/apps', { body: { name: 7 } }]],
  ['no JSON', 400, ['POST', '/plants', { body: '{"id":' }]],
  ['no key', 401, ['GET', '/plants', { key: null }]],
  ['a key that nobody has', 401, ['GET', '/v1/apps', { key: 'sk_0123456789abcdef' }]],
  [
    'a key that was revoked',
    401,
    async (_, world) => {
      world.records.keys.update('key_pro', { revoked: true })
      return ['GET', '/v1/apps']
    },
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
    async (call) => {
      await call('DELETE', '/plants/101')
      return ['DELETE', '/plants/101']
    },
    /plants\.delete\(101\)/,
  ],
  ['a path that is none', 404, ['GET', '/v1/nowhere']],
  [
    'a deletion that the assumption allows',
    204,
    async (_, world) => {
      world.assume('plants.delete.unknown', '204')
      return ['DELETE', '/plants/77777']
    },
    /world\.assume\('plants\.delete\.unknown', '204'\)/,
  ],
  [
    'what exists already',
    409,
    async (call, world) => {
      world.assume('plants.create.duplicate-id', '409')
      await call('POST', '/plants', { body: { id: 900, name: 'Fern' } })
      return ['POST', '/plants', { body: { id: 900, name: 'Fern' } }]
    },
    /create\(\{ id: 900[^]*duplicate-id/,
  ],
  [
    'a quota that was spent',
    429,
    async (call) => {
      for (let sent = 0; sent < 60; sent++) await call('GET', '/v1/apps?limit=1', { key: 'key_free' })
      return ['GET', '/v1/apps?limit=1', { key: 'key_free' }]
    },
    /quota: \[\{ window: 'minute'/,
  ],
  [
    'a counter of a scenario',
    429,
    async (call, world) => {
      world.use('rate-limited-plan:remaining=2')
      for (const limit of [1, 2]) await call('GET', `/v1/apps?limit=${limit}`)
      return ['GET', '/v1/apps?limit=3']
    },
  ],
  [
    'the second call of a scenario',
    503,
    async (call, world) => {
      world.use({ title: 'second', respond: [{ on: 'apps.list', status: 503, after: 1, times: 1 }] })
      await call('GET', '/plants')
      await call('GET', '/v1/apps?limit=1')
      return ['GET', '/v1/apps?limit=2']
    },
    /^(?![^]*\/plants)[^]*await fetch\(api\.appsUrl \+ '\/apps\?limit=1'/,
  ],
  [
    'an Idempotency-Key that was used',
    201,
    async (call) => {
      const headers = { 'idempotency-key': 'one' }
      await call('POST', '/v1/apps', { body: { name: 'first' }, headers })
      return ['POST', '/v1/apps', { body: { name: 'first' }, headers }]
    },
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
    async (_, world) => {
      world.clock.freeze()
      return ['POST', messages, { body: { content: 'Hi', stream: true } }]
    },
  ],
  [
    'the deliveries of a webhook',
    200,
    async (call, world) => {
      const hook = { url: 'http://127.0.0.1:1/', events: ['app.created'] }
      const { body } = await call('POST', '/v1/webhooks', { body: hook })
      await call('POST', '/v1/apps', { body: { name: 'new' } })
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
    async (_, world) => {
      world.records.accounts.update('acct_pro', { plan: 'lite' })
      return ['GET', '/v1/account']
    },
    /accounts\.update\('acct_pro', \{ plan: 'lite' \}\)/,
  ],
  ...(
    [
      ['a creation', 200, ['POST', '/plants', { body: { id: 900, name: 'Fern' } }]],
      ['a deletion', 204, ['DELETE', '/plants/900']],
      ['a change of what is new', 200, ['PATCH', '/v1/apps/{app}', { body: { name: 'second' } }]],
    ] as const
  ).map(([what, status, [method, path, options]]): Situation => [
    `${what} after the journal was cleared`,
    status,
    async (call, world) => {
      const { body } = await call('POST', '/v1/apps', { body: { name: 'first' } })
      if (method === 'DELETE') await call('POST', '/plants', { body: { id: 900, name: 'Fern' } })
      world.journal.clear()
      return [method, path.replace('{app}', body.id), options]
    },
  ]),
]
