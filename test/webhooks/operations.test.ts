import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { testApi, createCaller } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { subscribe, createPlants, deliver } from './open.ts'

const url = 'http://127.0.0.1:9/hook'
const app = 'app_w33c4cwmhfyfktiv'

testApi('a webhook is made, read, changed and deleted', async ({ call }) => {
  const given = { url, app_id: app, enabled: false }
  const made = await call('POST', '/v1/webhooks', { body: { ...given, events: ['app.created', 'app.created'] } })
  expect(made.status).toBe(201)
  const { secret: _, ...webhook } = made.body
  expect(webhook).toMatchObject({ ...given, events: ['app.created'] })
  expect(webhook.id).toMatch(/^wh_[a-z2-7]{16}$/)
  const path = `/v1/webhooks/${webhook.id}`
  expect((await call('GET', path)).body).toEqual(webhook)
  expect((await call('GET', '/v1/webhooks?limit=1')).body).toMatchObject({ data: [webhook], has_more: true })
  const changes = { app_id: null, url: 'https://example.com/' }
  expect((await call('PATCH', path, { body: changes })).body).toMatchObject({ ...changes, events: ['app.created'] })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
})

testApi('a webhook without events subscribes to all of them', async ({ call }) => {
  expect((await call('POST', '/v1/webhooks', { body: { url } })).body.events).toContain('message.sent')
})

testApi('a webhook of one app receives only the events of that app', async ({ call, world }) => {
  const { body: webhook } = await call('POST', '/v1/webhooks', { body: { url, events: ['app.updated'], app_id: app } })
  const { body: other } = await call('POST', '/v1/apps', { body: { name: 'Other' } })
  for (const id of [other.id, app]) await call('PATCH', `/v1/apps/${id}`, { body: { name: 'New' } })
  await world.settled()
  const told = world.records.deliveries.find({ webhook: webhook.id })
  expect(told.map(({ payload }) => JSON.parse(payload).data.id)).toEqual([app])
})

testApi('a test event needs no subscription, and is resent with the same id', {}, async ({ call, world }) => {
  const receiver = await startReceiver()
  const { body: webhook } = await call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['app.deleted'] } })
  const path = `/v1/webhooks/${webhook.id}`
  const tested = await call('POST', `${path}/test`)
  expect(tested).toMatchObject({ status: 202, body: { type: 'webhook.test', status: 'pending' } })
  await world.settled()
  world.records.deliveries.update(tested.body.id, { status: 'pending', next_attempt_at: null })
  const again = await call('POST', `${path}/deliveries/${tested.body.id}/redeliver`)
  expect(again).toMatchObject({ status: 202, body: { id: tested.body.id, status: 'pending' } })
  await world.settled()
  const { event_id } = tested.body
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event_id, event_id])
  expect((await call('GET', `${path}/deliveries`)).body.data).toMatchObject([
    { status: 'succeeded', attempts: [{ status: 200 }, { status: 200 }] },
  ])
  await call('PATCH', path, { body: { enabled: false } })
  expect((await call('POST', `${path}/test`)).status).toBe(400)
  expect((await call('POST', `${path}/deliveries/${tested.body.id}/redeliver`)).status).toBe(400)
})

testApi('an account creates at most 1,000 webhooks', async ({ world, call }) => {
  const [first] = world.records.webhooks.find({ account: 'acct_pro' })
  const others = world.records.webhooks.find(({ account }) => account !== 'acct_pro')
  const own = Array.from({ length: 999 }, (_, place) => ({ ...first!, id: `wh_${place}` }))
  world.records.webhooks.replace([...others, ...own])
  const create = () => call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/hook' } })
  expect((await create()).status).toBe(201)
  const { status, body } = await create()
  expect([status, body.error.message]).toEqual([400, 'The account has 1000 webhooks already.'])
  expect((await call('DELETE', '/v1/webhooks/wh_5')).status).toBe(204)
  expect((await create()).status).toBe(201)
})

const guest = { origin: 'https://shop.example' }

async function serveWithDelivery(cors = [guest.origin]) {
  const receiver = await startReceiver(() => ({ status: 200, body: 'what a local service says' }))
  const greenhouse = createGreenhouse({ cors })
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const call = createCaller((path, init) => fetch(server.url + path, init))
  const webhook = await subscribe({ call }, receiver.url)
  await createPlants({ call }, 1)
  await greenhouse.world().settled()
  return { log: `/v1/webhooks/${webhook.id}/deliveries`, call }
}

test('a page of another origin may use the delivery log, but not read what receivers answered', async () => {
  const { log, call } = await serveWithDelivery()
  for (const query of ['', '?limit=1']) {
    const shown = async (headers: Record<string, string>) =>
      (await call('GET', log + query, { headers })).body.data[0].attempts[0]
    const whole = await shown({})
    expect(whole).toMatchObject({ status: 200, response: 'what a local service says' })
    expect(await shown(guest)).toEqual({ ...whole, response: null })
    expect(await shown({ origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' })).toEqual(whole)
    expect(await shown({})).toEqual(whole)
  }
})

test('a link of another site hides the answers of receivers, where all origins are allowed', async () => {
  const { log, call } = await serveWithDelivery(['*'])
  const shown = async (site: string) =>
    (await call('GET', log, { headers: { 'sec-fetch-site': site } })).body.data[0].attempts[0].response
  expect([await shown('same-origin'), await shown('cross-site')]).toEqual(['what a local service says', null])
})

test('redelivering shows the page no response either, even with the idempotency key of another', async () => {
  const { log, call } = await serveWithDelivery()
  const [{ id }] = (await call('GET', log)).body.data
  const again = async (headers: Record<string, string>) =>
    (await call('POST', `${log}/${id}/redeliver`, { headers: { 'idempotency-key': 'same', ...headers } })).body
      .attempts[0]
  expect((await again({})).response).toBe('what a local service says')
  expect((await again(guest)).response).toBeNull()
})

test('the test of a webhook shows no attempts, to nobody', async () => {
  const { log, call } = await serveWithDelivery()
  for (const headers of [{}, guest])
    expect((await call('POST', log.replace('/deliveries', '/test'), { headers })).body).not.toHaveProperty('attempts')
})

test('within a process the page is the one that is tested: it sees all, whatever its origin', async () => {
  const { client, webhook } = await deliver(1, () => ({ status: 200, body: 'thanks' }))
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { headers: guest })
  expect(body.data[0].attempts[0].response).toBe('thanks')
})
