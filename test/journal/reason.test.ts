import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller, open, testApi, type Client } from '../support/test-api.ts'

const reasonOf = ({ world }: Pick<Client, 'world'>) => world.journal.calls().at(-1)!.reason

testApi('a refused key is named with its reason', {}, async ({ world, call }) => {
  await world.records.keys.update('key_lite', { expires_at: '2026-01-01T00:00:00Z' })
  await world.records.keys.update('key_pro_plus', { revoked: true })
  world.records.accounts.delete('acct_free')
  const cases: [key: string | null, scenario: string, reason: string | RegExp][] = [
    ['key_fre', '', 'key_fre: no such key. Did you mean "key_free"?'],
    ['key_fre3', '', /^fp_[\da-f]{12}: no such key\. Did you mean "key_free"\?$/],
    ['sk_live_51H8example', '', /^fp_[\da-f]{12}: no such key$/],
    ['nothing-like-it', '', /^fp_[\da-f]{12}: no such key$/],
    ['key_lite', '', 'key_lite expired at 2026-01-01T00:00:00Z'],
    ['key_pro_plus', '', 'key_pro_plus is revoked'],
    ['key_free', '', 'key_free belongs to the account acct_free, which does not exist'],
    [null, '', 'The request has no Authorization header'],
    ['key_pro', 'expired-key', /^key_pro expired at .*, by the scenario expired-key$/],
    ['key_pro', 'revoked-key', 'key_pro is revoked, by the scenario revoked-key'],
    ['key_pro', 'invalid-key', 'key_pro is unknown, by the scenario invalid-key'],
    ['key_pro', 'missing-key', 'The scenario missing-key removed the key from the request'],
    ['key_fre', 'missing-key', 'The scenario missing-key removed the key from the request'],
    [null, 'missing-key', 'The scenario missing-key removed the key from the request'],
    ['key_pro', 'revoked-key, expired-key', 'key_pro is revoked, by the scenario revoked-key'],
    ['key_pro', 'revoked-key, invalid-key', 'key_pro is revoked, by the scenario revoked-key'],
    [
      'key_pro',
      'revoked-key, missing-key',
      'The scenario missing-key removed the key from the request',
    ],
    ['key_pro_plus', 'revoked-key', 'key_pro_plus is revoked'],
  ]
  for (const [key, scenario, reason] of cases) {
    const { status, text } = await call('GET', '/v1/apps', {
      key,
      headers: scenario === '' ? {} : { 'x-greenhouse-scenario': scenario },
    })
    expect([status, reasonOf({ world })], `${key} ${scenario}`).toEqual([
      401,
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    ])
    expect(text).not.toMatch(/key_|expired at|scenario/)
  }
  world.assume('auth.scheme-case', 'exact')
  await call('GET', '/v1/apps', { key: null, headers: { authorization: 'bearer key_pro' } })
  expect(reasonOf({ world })).toBe(
    'The scheme of the Authorization header is not written "Bearer", and auth.scheme-case is exact',
  )
  await call('GET', '/v1/apps', { key: null, headers: { authorization: 'Token key_pro' } })
  expect(reasonOf({ world })).toBe('The Authorization header is not "Bearer <API_KEY>"')
})

testApi(
  'a secret that a test made is never shown, not in a reason either',
  async ({ world, call }) => {
    const { secret } = await world.createKey({ account: 'acct_pro', revoked: true })
    await call('GET', '/v1/apps', { key: secret })
    expect(reasonOf({ world })).toMatch(/^fp_[\da-f]{12} is revoked$/)
    await call('GET', '/v1/apps', { key: 'another-secret-0' })
    expect(reasonOf({ world })).toMatch(
      RegExp(`^fp_[\\da-f]{12}: no such key in the world ${world.name}$`),
    )
  },
)

test('a key of fixtures that may be a secret is not suggested', async () => {
  const keys = [{ secret: 'sk_live_51H8exampl3', account: 'acct_pro' }]
  const { world, call } = open({ fixtures: { extends: 'default', keys } })
  await call('GET', '/v1/apps', { key: 'sk_live_51H8exampl4' })
  expect(reasonOf({ world })).toMatch(/^fp_[\da-f]{12}: no such key$/)
})

testApi('a scope that is missing is named with those that are there', async ({ world, call }) => {
  await world.records.keys.update('key_readonly', { scopes: ['apps:read', 'plants:read'] })
  expect(
    (await call('POST', '/plants', { key: 'key_readonly', body: { id: 90_001, name: 'x' } }))
      .status,
  ).toBe(403)
  expect(reasonOf({ world })).toBe(
    'scope plants:write missing: key_readonly has apps:read, plants:read',
  )
  await world.records.keys.update('key_readonly', { scopes: [] })
  await call('GET', '/plants', { key: 'key_readonly' })
  expect(reasonOf({ world })).toBe('scope plants:read missing: key_readonly has none')
  await world.records.keys.update('key_readonly', { scopes: ['apps:read', 'plants:read'] })
  world.use({ title: 'read-only', keys: [{ without: 'apps:write' }, { scopes: ['apps:read'] }] })
  await call('POST', '/plants', { key: 'key_readonly', body: { id: 90_001, name: 'x' } })
  expect(reasonOf({ world })).toBe('scope plants:write missing: key_readonly has apps:read')
  await call('POST', '/plants', { body: { id: 90_001, name: 'x' } })
  expect(reasonOf({ world })).toBe(
    'scope plants:write missing: key_pro has apps:read, by the scenario inline-read-only',
  )
})

testApi("a user of another account is named with the account's", async ({ world, call }) => {
  const at = { created_at: 0, updated_at: 0 }
  const app = { id: 'app_aaaaaaaaaaaaaaaa', account: 'acct_lite', name: 'fern', ...at }
  world.records.apps.create(app)
  const user = { account: 'acct_lite', app: app.id, email: 'a@b.test', name: 'Ada', created_at: 0 }
  world.records.users.create({ id: 'usr_aaaaaaaaaaaaaaaa', ...user })
  const own = (await call('POST', '/v1/apps', { body: { name: 'own' } })).body
  const { status } = await call('POST', `/v1/apps/${own.id}/conversations`, {
    body: { user_id: 'usr_aaaaaaaaaaaaaaaa' },
  })
  expect(status).toBe(400)
  expect(reasonOf({ world })).toBe(
    'usr_aaaaaaaaaaaaaaaa belongs to another account, acct_lite; key_pro belongs to acct_pro',
  )
})

testApi('a reason has an end, however many scenarios it names', async ({ world, call }) => {
  const longest = 8_192
  const ofOne = 'scenario inline- changed the headers'.length
  const use = (count: number, title: string) => {
    for (let index = 0; index < count; index++)
      world.use({
        title: `${String(index).padStart(2, '0')}${title}`,
        fault: [{ kind: 'headers', repeat: ['X-A'] }],
      })
  }
  use(89, 'x'.repeat(51))
  await call('GET', '/plants')
  const before = reasonOf({ world })!.length
  const rest = longest - before - ', '.length - ofOne
  world.use({ title: 'y'.repeat(rest), fault: [{ kind: 'headers', repeat: ['X-A'] }] })
  await call('GET', '/plants')
  expect(reasonOf({ world })).toMatch(/headers$/)
  expect(reasonOf({ world })).toHaveLength(longest)
  world.use({ title: 'z', fault: [{ kind: 'headers', repeat: ['X-A'] }] })
  await call('GET', '/plants')
  expect(reasonOf({ world })).toMatch(/headers…$/)
  expect(reasonOf({ world })).toHaveLength(longest + 1)
})

testApi(
  'a quota that is spent is named with its window, its numbers and its end',
  async ({ world, call }) => {
    for (let count = 0; count < 61; count++)
      await call('GET', '/v1/apps?limit=1', { key: 'key_free' })
    expect(reasonOf({ world })).toBe(
      'minute quota of plan free spent: 60 of 60, refills 2026-03-01T12:01:00Z',
    )
    await call('GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'rate-limited-day' } })
    expect(reasonOf({ world })).toBe(
      'day quota of plan pro spent: 25000 of 25000, refills 2026-03-02T12:00:30Z, by the scenario rate-limited-day',
    )
  },
)

test('the reason names the spent window that ends last', async () => {
  const plans = [{ id: 'lite' as const, minute: 1, day: 2 }]
  const { world, call } = open({ plans, assumptions: { 'rate-limit.window': 'first-request' } })
  const ask = async () => (await call('GET', '/v1/apps', { key: 'key_lite' })).status
  expect(await ask()).toBe(200)
  world.clock.advance('23h59m30s')
  expect([await ask(), await ask()]).toEqual([200, 429])
  expect(reasonOf({ world })).toBe(
    'minute quota of plan lite spent: 1 of 1, refills 2026-03-02T12:01:00Z',
  )
})

test('the reason names the minute if both windows end together', async () => {
  const { world, call } = open({ plans: [{ id: 'lite', minute: 1, day: 1 }] })
  world.clock.set('2026-03-01T23:59:30Z')
  const asked = async () => (await call('GET', '/v1/apps', { key: 'key_lite' })).headers
  await asked()
  expect((await asked()).get('retry-after')).toBe('30')
  expect(reasonOf({ world })).toMatch(
    /^minute quota of plan lite spent: 1 of 1, refills 2026-03-02T00/,
  )
})

testApi(
  "the reason of a 404 says whether the id is another account's, misspelt or unknown",
  async ({ world, call }) => {
    const mine = (await call('POST', '/v1/apps', { body: { name: 'mine' } })).body.id
    const talk = (await call('POST', `/v1/apps/${mine}/conversations`, { body: {} })).body.id
    const cases: [path: string, key: string, reason: string][] = [
      [
        `apps/${mine}`,
        'key_free',
        `${mine} belongs to another account, acct_pro; key_free belongs to acct_free`,
      ],
      [
        `apps/${mine.slice(0, -1)}~`,
        'key_pro',
        `"${mine.slice(0, -1)}~" is not among the apps of acct_pro. Did you mean "${mine}"?`,
      ],
      ['apps/nowhere-at-all', 'key_pro', '"nowhere-at-all" is not among the apps of acct_pro'],
      [
        `apps/${mine}/users/nobody-at-all`,
        'key_pro',
        '"nobody-at-all" is not among the users of acct_pro',
      ],
      [
        `apps/${mine}/conversations/${talk}/messages/nothing-at-all`,
        'key_pro',
        '"nothing-at-all" is not among the messages of acct_pro',
      ],
      ['plans/pro-plus', 'key_pro', '"pro-plus" is not among the plans. Did you mean "pro_plus"?'],
    ]
    for (const [path, key, reason] of cases) {
      expect((await call('GET', `/v1/${path}`, { key })).status).toBe(404)
      expect(reasonOf({ world })).toBe(reason)
    }
    await world.records.plants.create({ id: 90_001, name: 'x', account: 'acct_lite' })
    await call('DELETE', '/plants/90001')
    expect(reasonOf({ world })).toBe(
      '90001 belongs to another account, acct_lite; key_pro belongs to acct_pro',
    )
    world.use({ records: [{ collection: 'plants', keep: 'none' }] })
    await call('DELETE', '/plants/101')
    expect(reasonOf({ world })).toMatch(/^101 exists, but a scenario hides it;/)
  },
)

test('the reason for an unknown path names the paths that were probably meant', async () => {
  const { world, call } = open()
  for (const [method, path, meant] of [
    ['GET', '/apps', '/v1/apps'],
    ['GET', '/appz', '/v1/apps'],
    ['GET', '/v1/appz', '/v1/apps'],
    ['POST', '/plant', 'POST, GET /plants or GET /v1/plans?'],
  ] as const) {
    await call(method, path)
    expect(reasonOf({ world })).toMatch(`There is no path ${path}. Did you mean`)
    expect(reasonOf({ world })).toContain(` ${meant}`)
  }
  await call('GET', '/no/such/thing')
  expect(reasonOf({ world })).toBe('There is no path /no/such/thing')
  await call('PUT', '/plants')
  expect(reasonOf({ world })).toBe('The path does not have the method PUT, only POST, GET.')
})

testApi('the reason says what a scenario did to the reply', async ({ world, call }) => {
  for (const [scenario, reason] of [
    ['slow:ms=5', 'scenario slow delayed the reply by 5 ms'],
    ['truncated-json', 'scenario truncated-json cut the body short'],
    [
      'slow:ms=5, server-error',
      /^scenario slow delayed the reply by 5 ms, scenario server-error answered instead$|^scenario server-error answered instead, scenario slow delayed/,
    ],
  ] as const) {
    await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': scenario } }).catch(
      () => undefined,
    )
    expect(reasonOf({ world })).toMatch(reason)
  }
  await call('GET', '/v1/apps/none', { headers: { 'x-greenhouse-scenario': 'slow:ms=5' } })
  expect(reasonOf({ world })).toBe(
    '"none" is not among the apps of acct_pro; scenario slow delayed the reply by 5 ms',
  )
  const { body } = await call('GET', '/v1/apps?limit=0', {
    headers: { 'x-greenhouse-scenario': 'slow:ms=5' },
  })
  expect(reasonOf({ world })).toBe(`${body.error.message}; scenario slow delayed the reply by 5 ms`)
  await call('GET', '/plants')
  expect(world.journal.calls().at(-1)).not.toHaveProperty('reason')
})

testApi(
  'the reason for a declined payment names the scenario that declined it',
  async ({ world, call }) => {
    const buy = ['POST', '/v1/credits/purchases', { amount: 50, payment_method: 'pm_ok' }] as const
    const cases: [
      scenario: string,
      request: readonly [method: string, path: string, body: object],
      reason: string,
    ][] = [
      ['purchase-declined', buy, 'The purchase was declined, by the scenario purchase-declined'],
      [
        'slow:ms=0',
        ['POST', buy[1], { ...buy[2], payment_method: 'pm_declined' }],
        'The payment method pm_declined is',
      ],
      [
        'upgrade-declined',
        ['PUT', '/v1/subscription', { plan: 'pro_plus' }],
        'The upgrade was declined, by the scenario',
      ],
    ]
    for (const [scenario, [method, path, body], reason] of cases) {
      expect(
        (await call(method, path, { body, headers: { 'x-greenhouse-scenario': scenario } })).status,
      ).toBe(400)
      expect(reasonOf({ world })).toContain(reason)
    }
  },
)

/** What no request meets: deliveries, renewals, verifications. */
const byItself = /^(webhook-|renewal-fails|certificate-fails|deployment-dns-never-found)/
const limits = { account: [{ plan: 'free' }], quota: [{ window: 'minute', remaining: 2 }] }
const data = {
  records: [{ collection: 'apps', keep: 'none' }],
  assume: { 'plants.body.includes-id': 'yes' },
}
const names = Array.from(createGreenhouse().scenarios(), ({ name }) => name)

test.each([...names, limits, data])(
  'every reply that the scenario %j changed has a reason',
  async (scenario) => {
    using greenhouse = createGreenhouse({ use: [scenario] as never })
    // Its patience begins when the reply is decided, however long that takes.
    const call = createCaller((path, init) => {
      const gone = new AbortController()
      const end = greenhouse.subscribe(() => setTimeout(() => gone.abort(), 20))
      const request = new Request('http://any' + path, { ...init, signal: gone.signal })
      return greenhouse.fetch(request).finally(end)
    })
    const ask = (...request: Parameters<typeof call>) => call(...request).catch(() => undefined)
    for (const path of ['/plants', '/plants', '/v1/apps', '/v1/apps', '/v1/apps/nothing'])
      await ask('GET', path)
    greenhouse.world().clock.advance('11m')
    for (const id of [1, 2])
      await ask('POST', '/plants', { body: { id: 90_000 + id, name: 'Fern', shade: true } })
    await ask('POST', '/v1/credits/purchases', { body: { amount: 50, payment_method: 'pm_ok' } })
    await ask('PUT', '/v1/subscription', { body: { plan: 'pro_plus' } })
    const messages = '/v1/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'
    await ask('POST', messages, { body: { content: 'Hi', stream: true } })
    const changed = greenhouse
      .world()
      .journal.calls()
      .filter(({ scenarios }) => scenarios.length > 0)
    expect(changed.length > 0).toBe(!byItself.test(String(scenario)))
    for (const { reason, response, scenarios } of changed)
      expect(reason).toContain(response.status < 400 ? `scenario ${scenarios[0]} ` : '')
  },
)

// Hosts with paths of their own keep those that are near no area, so this is asked of the service
// itself.
const cases: [method: string, path: string, differs: 'method' | 'path', operations: string[]][] = [
  ['GET', '/plant', 'path', ['plants.list', 'plants.create']],
  ['POST', '/plant', 'path', ['plants.create', 'plants.list']],
  ['GET', '/Plants', 'path', ['plants.list', 'plants.create']],
  ['DELETE', '/plants/1/leaves', 'path', ['plants.delete']],
  ['PUT', '/plants', 'method', ['plants.create', 'plants.list']],
  ['GET', '/plants/1', 'method', ['plants.delete']],
  ['PUT', '/v1/apps/app_1', 'method', ['apps.get', 'apps.update', 'apps.delete']],
  ['GET', '/v1/app', 'path', ['apps.list', 'apps.create']],
  ['GET', '/v2/apps', 'path', ['apps.list', 'apps.create']],
  ['GET', '/apps', 'path', ['apps.list', 'apps.create']],
  ['POST', '/v1/plants', 'path', ['plans.list', 'plants.create', 'plants.list']],
  ['DELETE', '/v1/plants/7', 'path', ['plans.get', 'plants.delete']],
]

for (const [method, path, differs, operations] of cases)
  test(`${method} ${path} is unknown, with near misses in the journal: ${operations.join(', ')}`, async () => {
    const { world, call } = open()
    const answer = await call(method, path)
    const unknown = await call(
      method,
      path.startsWith('/v1') ? '/v1/nothing/like/it/at/all' : '/nothing/like/it/at/all',
    )
    const [entry, other] = world.journal.calls()
    expect(entry!.operation).toBeUndefined()
    expect(entry!.response.body).toBe(answer.text)
    const misses = entry!.near_misses!
    expect(misses[0]).toMatchObject({
      differs,
      method: expect.any(String),
      path: expect.stringMatching(/^\//),
    })
    expect(misses.length).toBeLessThanOrEqual(3)
    expect(misses.slice(0, operations.length).map(({ operation }) => operation)).toEqual(operations)
    expect(answer.status).toBe(unknown.status)
    expect(Object.keys(answer.body)).toEqual(Object.keys(unknown.body))
    expect(answer.text).not.toContain('near')
    expect(other!.near_misses).toEqual([])
  })

test('there are no near misses of a path that is like none, or of an operation that fails', async () => {
  const { world, call } = open()
  const long = ['/' + 'a/'.repeat(3_000), '/' + 'a'.repeat(8_000)]
  for (const path of ['/', '/foo', '/foo/1', '/v1', '/v1/people', '/users/1/apps', ...long]) {
    await call('GET', path)
    expect(world.journal.calls().at(-1)!.near_misses).toEqual([])
  }
  await call('DELETE', '/plants/4242')
  expect(world.journal.calls().at(-1)).not.toHaveProperty('near_misses')
})
