import { expect } from 'vitest'
import { listen, toldTo } from '../../payments/told.ts'
import { testApi, type Client } from '../../support/test-api.ts'
import { storedIn } from './stored.ts'

const inHeader = (name: string) => ({ 'x-greenhouse-scenario': name })
const cancel = ({ call }: Client, key: string, name: string) =>
  call('DELETE', '/v1/subscription', { key, headers: inHeader(name) })
const put = ({ call }: Client, key: string, name: string, plan: string) =>
  call('PUT', '/v1/subscription', { key, body: { plan }, headers: inHeader(name) })
const look = async ({ call }: Client, key: string) => (await call('GET', '/v1/subscription', { key })).body

testApi('canceling a plan that is only pretended is answered, but stores and sends nothing', async (client) => {
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
})

testApi('a plan that is put back under a pretended one begins no period of what is stored', async (client) => {
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

testApi('a requested plan is stored as without the scenario, whatever plan that pretends', async (client) => {
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
  for (const name of ['plan-upgrade', 'plan-downgrade']) expect(await outcomes(name), name).toEqual(plain)
})

testApi('canceling a paid plan under a larger pretended one cancels it; events show the real plan', async (client) => {
  const { world } = client
  await listen(client)
  expect((await cancel(client, 'key_pro', 'plan-upgrade')).body).toMatchObject({
    plan: 'pro_plus',
    cancel_at_period_end: true,
  })
  const shown = await look(client, 'key_pro')
  expect(shown).toMatchObject({ plan: 'pro', cancel_at_period_end: true })
  world.clock.advance('30d')
  const ended = await look(client, 'key_pro')
  expect(ended).toMatchObject({ plan: 'free', status: 'canceled', former_plan: 'pro' })
  expect(toldTo(client).map(({ type, data }) => [type, data])).toEqual([
    ['subscription.updated', shown],
    ['subscription.canceled', ended],
  ])
})

testApi('what a pretended plan permits is stored as stated, and nothing else changes', async (client) => {
  const { world, call } = client
  while ((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'more' } })).status === 201);
  const { apps: appsBefore, deployments: deploymentsBefore, ...before } = storedIn(world) as Record<string, any[]>
  const headers = inHeader('plan-upgrade')
  const { body: app } = await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'extra' }, headers })
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
  expect(deployments!.filter(({ id }) => !deploymentsBefore!.some((one) => one.id === id))).toMatchObject([
    { id: deployment.id, state: 'pending_dns' },
  ])
})
