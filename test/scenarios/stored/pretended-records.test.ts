import { expect } from 'vitest'
import { testApi, type Client } from '../../support/test-api.ts'
import { storedIn } from './stored.ts'

/** Does whatever can be done to an app and what belongs to it; gives the statuses that were not those of a success. */
async function live({ call, world }: Client, app: string, headers: Record<string, string> = {}): Promise<unknown[]> {
  const failed: unknown[] = []
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, { body, headers })
    if (answer.status >= 300) failed.push([method, path, answer.text])
    return answer.body
  }
  const path = `/v1/apps/${app}`
  await ask('PATCH', path, { description: 'Changed.' })
  const conversation = await ask('POST', `${path}/conversations`, { user: { email: 'new@example.com' } })
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

testApi('changes to an app of an empty store, and their effects, are gone with the scenario', async (client) => {
  const { world, call } = client
  const before = storedIn(world)
  world.use('empty-store')
  const { body: app } = await call('POST', '/v1/apps', { body: { name: 'first' } })
  expect(await live(client, app.id)).toEqual([])
  expect(
    (await call('GET', '/v1/credits')).body.spent -
      (before['credits'] as any[]).find(({ account }) => account === 'acct_pro').spent,
  ).toBe(1)
  expect((await call('DELETE', `/v1/apps/${app.id}`)).status).toBe(204)
  world.clear()
  expect(storedIn(world)).toEqual(before)
})

testApi('changes to an app of an empty store are not kept when a header names the scenario', async (client) => {
  const { world, call } = client
  const before = storedIn(world)
  const headers = { 'x-greenhouse-scenario': 'empty-store' }
  const { body: app } = await call('POST', '/v1/apps', { body: { name: 'first' }, headers })
  expect(await live(client, app.id, headers)).toEqual([])
  expect(storedIn(world)).toEqual(before)
})

testApi('a stored app that is deleted in a huge store has lost nothing when it is back', async (client) => {
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
  expect((await call('GET', `/v1/apps/${app}/deployments`)).body.data).toHaveLength(
    world.records.deployments.count({ app }),
  )
  expect((await call('GET', `/v1/webhooks/${webhook.id}`)).status).toBe(200)
})

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
