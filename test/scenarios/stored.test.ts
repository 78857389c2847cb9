import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { listen, toldTo } from '../payments/told.ts'
import { type Client, testApi } from '../support/test-api.ts'

/** Returns everything that a world stores, except webhooks and their deliveries. */
export function storedIn({ records }: World): Record<string, unknown> {
  const names = Object.keys(records).filter(
    (name) => name !== 'webhooks' && name !== 'deliveries',
  ) as (keyof World['records'])[]
  return Object.fromEntries(
    names.map((name) => [name, records[name].all().map((record) => ({ ...record }))]),
  )
}

const headers = { 'idempotency-key': 'once' }

testApi(
  'an Idempotency-Key denied under a pretended plan is decided again without it',
  async ({ call, world }) => {
    const create = () => call('POST', '/v1/apps', { body: { name: 'one more' }, headers })
    world.use('plan-downgrade')
    expect((await create()).status).toBe(403)
    world.clear()
    expect((await create()).status).toBe(201)
  },
)

testApi(
  'a create permitted by a pretended plan is done once, even if retried without it',
  async ({ call, world }) => {
    for (let number = 0; world.records.apps.count({ account: 'acct_free' }) < 5; number++)
      await call('POST', '/v1/apps', { key: 'key_free', body: { name: `app ${number}` } })
    const create = () =>
      call('POST', '/v1/apps', { key: 'key_free', body: { name: 'one more' }, headers })
    world.use('plan-upgrade')
    const made = await create()
    world.clear()
    expect(await create()).toMatchObject({ status: 201, text: made.text })
    expect(world.records.apps.count({ account: 'acct_free' })).toBe(6)
  },
)

testApi(
  'an Idempotency-Key is replayed in one store only, not in another',
  async ({ call, world }) => {
    const create = () => call('POST', '/v1/apps', { body: { name: 'one more' }, headers })
    const before = world.records.apps.count()
    world.use('empty-store')
    const made = await create()
    expect(await create()).toMatchObject({ status: 201, text: made.text })
    expect((await call('GET', '/v1/apps')).body.data).toHaveLength(1)
    for (const scenarios of [[{ name: 'huge-store', count: 1 }], []] as const) {
      world.useOnly(scenarios)
      const anew = await create()
      expect([anew.status, anew.headers.get('idempotent-replayed')]).toEqual([201, null])
    }
    expect(world.records.apps.count()).toBe(before + 1)
  },
)

const inHeader = (name: string) => ({ 'x-greenhouse-scenario': name })
const cancel = ({ call }: Client, key: string, name: string) =>
  call('DELETE', '/v1/subscription', { key, headers: inHeader(name) })
const put = ({ call }: Client, key: string, name: string, plan: string) =>
  call('PUT', '/v1/subscription', { key, body: { plan }, headers: inHeader(name) })
const look = async ({ call }: Client, key: string) =>
  (await call('GET', '/v1/subscription', { key })).body

testApi(
  'canceling a plan that is only pretended is answered, but stores and sends nothing',
  async (client) => {
    const { world } = client
    await listen(client, 'acct_free')
    const before = storedIn(world)
    const shown = await look(client, 'key_free')
    expect(await cancel(client, 'key_free', 'plan-upgrade')).toMatchObject({
      status: 200,
      body: { plan: 'pro_plus', status: 'active', cancel_at_period_end: true },
    })
    expect(storedIn(world)).toEqual(before)
    expect(await look(client, 'key_free')).toEqual(shown)
    world.clock.advance('60d')
    await world.settled()
    expect(toldTo(client, 'acct_free')).toEqual([])
    expect(storedIn(world)).toEqual(before)
  },
)

testApi('setting a plan back under a pretended one begins no period', async (client) => {
  const { world } = client
  await listen(client)
  const before = storedIn(world)
  const shown = await look(client, 'key_pro')
  expect(await put(client, 'key_pro', 'plan-downgrade', 'pro')).toMatchObject({
    status: 200,
    body: { plan: 'pro', status: 'active', period_start: '2026-03-01T12:00:30.000Z' },
  })
  expect(storedIn(world)).toEqual(before)
  expect(await look(client, 'key_pro')).toEqual(shown)
  expect(toldTo(client)).toEqual([])
})

testApi(
  'a requested plan is stored as without the scenario, whatever plan that pretends',
  async (client) => {
    const { world } = client
    world.snapshot('start')
    const outcomes = async (name?: string) => {
      const after: unknown[] = []
      for (const key of ['key_free', 'key_lite', 'key_pro'])
        for (const plan of ['free', 'lite', 'pro', 'pro_plus']) {
          world.restore('start')
          if (name) world.use(name as never)
          await client.call('PUT', '/v1/subscription', { key, body: { plan } })
          world.clear()
          after.push([key, plan, storedIn(world), await look(client, key)])
        }
      return after
    }
    const plain = await outcomes()
    for (const name of ['plan-upgrade', 'plan-downgrade'])
      expect(await outcomes(name), name).toEqual(plain)
  },
)

testApi(
  'canceling a paid plan under a larger pretended one cancels it; events show the real plan',
  async (client) => {
    const { world } = client
    await listen(client)
    const { body } = await cancel(client, 'key_pro', 'plan-upgrade')
    expect(body).toMatchObject({ plan: 'pro_plus', cancel_at_period_end: true })
    const shown = await look(client, 'key_pro')
    expect(shown).toMatchObject({ plan: 'pro', cancel_at_period_end: true })
    world.clock.advance('30d')
    const ended = await look(client, 'key_pro')
    expect(ended).toMatchObject({ plan: 'free', status: 'canceled', former_plan: 'pro' })
    expect(toldTo(client).map(({ type, data }) => [type, data])).toEqual([
      ['subscription.updated', shown],
      ['subscription.canceled', ended],
    ])
  },
)

testApi('changes under a pretended plan are stored, and nothing else changes', async (client) => {
  const { world, call } = client
  while (
    (await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'more' } })).status === 201
  );
  const {
    apps: appsBefore,
    deployments: deploymentsBefore,
    ...before
  } = storedIn(world) as Record<string, any[]>
  const headers = inHeader('plan-upgrade')
  const { body: app } = await call('POST', '/v1/apps', {
    key: 'key_free',
    body: { name: 'extra' },
    headers,
  })
  const { status, body: deployment } = await call('POST', `/v1/apps/${app.id}/deployments`, {
    key: 'key_free',
    body: { domain: 'extra.example.org', branding: { hide_powered_by: true } },
    headers,
  })
  expect(status).toBe(201)
  const { apps, deployments, ...after } = storedIn(world) as Record<string, any[]>
  expect(after).toEqual(before)
  expect(apps!.filter(({ id }) => !appsBefore!.some((one) => one.id === id))).toMatchObject([
    { id: app.id, name: 'extra', account: 'acct_free' },
  ])
  expect(
    deployments!.filter(({ id }) => !deploymentsBefore!.some((one) => one.id === id)),
  ).toMatchObject([{ id: deployment.id, state: 'pending_dns' }])
})

/**
 * Does whatever can be done to an app and what belongs to it; gives the statuses that were not
 * those of a success.
 */
async function live(
  { call, world }: Client,
  app: string,
  headers: Record<string, string> = {},
): Promise<unknown[]> {
  const failed: unknown[] = []
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, { body, headers })
    if (answer.status >= 300) failed.push([method, path, answer.text])
    return answer.body
  }
  const path = `/v1/apps/${app}`
  await ask('PATCH', path, { description: 'Changed.' })
  const conversation = await ask('POST', `${path}/conversations`, {
    user: { email: 'new@example.com' },
  })
  await ask('POST', `${path}/conversations/${conversation.id}/messages`, { content: 'Hello?' })
  await ask('POST', `${path}/conversations/${conversation.id}/end`)
  const deployment = await ask('POST', `${path}/deployments`, { domain: 'pretended.example.org' })
  await ask('POST', `${path}/deployments/${deployment.id}/verify`)
  await ask('POST', '/v1/credits/purchases', { amount: 10, payment_method: 'pm_ok' })
  world.clock.advance('1m')
  await world.settled()
  expect(await ask('GET', `${path}/deployments/${deployment.id}`)).toMatchObject({ state: 'live' })
  return failed
}

for (const way of ['switched on', 'in a header'])
  testApi(
    `changes to an app of an empty store that is ${way}, and their effects, are not kept`,
    async (client) => {
      const { world, call } = client
      const before = storedIn(world)
      const spent = world.records.credits.get('acct_pro')!.spent
      const headers = way === 'in a header' ? inHeader('empty-store') : {}
      if (way === 'switched on') world.use('empty-store')
      const { body: app } = await call('POST', '/v1/apps', { body: { name: 'first' }, headers })
      expect(await live(client, app.id, headers)).toEqual([])
      expect((await call('GET', '/v1/credits', { headers })).body.spent - spent).toBe(1)
      expect((await call('DELETE', `/v1/apps/${app.id}`, { headers })).status).toBe(204)
      world.clear()
      expect(storedIn(world)).toEqual(before)
    },
  )

testApi(
  'a stored app that is deleted in a huge store has lost nothing when it is back',
  async (client) => {
    const { world, call } = client
    const [deployment] = world.records.deployments.find(({ account }) => account === 'acct_pro')
    const { app } = deployment!
    const { body: webhook } = await call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/none', app_id: app },
    })
    const before = storedIn(world)
    world.use('huge-store', { count: 3 })
    expect(await live(client, app)).toEqual([])
    expect((await call('DELETE', `/v1/apps/${app}`)).status).toBe(204)
    expect((await call('GET', `/v1/apps/${app}`)).status).toBe(404)
    world.clear()
    expect(storedIn(world)).toEqual(before)
    const { data } = (await call('GET', `/v1/apps/${app}/deployments`)).body
    expect(data).toHaveLength(world.records.deployments.count({ app }))
    expect((await call('GET', `/v1/webhooks/${webhook.id}`)).status).toBe(200)
  },
)

testApi('a snapshot takes along what belongs to pretended records', async (client) => {
  const { world, call } = client
  world.use('empty-store')
  const { body: app } = await call('POST', '/v1/apps', { body: { name: 'first' } })
  await call('POST', `/v1/apps/${app.id}/conversations`)
  world.snapshot('one')
  const count = async () => (await call('GET', `/v1/apps/${app.id}/conversations`)).body.data.length
  for (let round = 0; round < 2; round++) {
    await call('POST', `/v1/apps/${app.id}/conversations`)
    expect(await count()).toBe(2)
    world.restore('one')
    expect(await count()).toBe(1)
  }
})
