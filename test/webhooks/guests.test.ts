import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

const guest = { origin: 'https://shop.example' }

async function serveWithDelivery() {
  const receiver = await startReceiver(() => ({ status: 200, body: 'what a local service says' }))
  const greenhouse = createGreenhouse({ cors: [guest.origin] })
  const server = await serve(greenhouse)
  const call = createCaller((path, init) => fetch(server.url + path, init))
  const webhook = await subscribe({ call }, receiver.url)
  await createPlants({ call }, 1)
  await greenhouse.world().settled()
  return { log: `/v1/webhooks/${webhook.id}/deliveries`, call, greenhouse, server, close: () => server.close() }
}

test('a page of another origin may use the delivery log, but not read what receivers answered', async () => {
  const { log, call, close } = await serveWithDelivery()
  for (const query of ['', '?limit=1']) {
    const shown = async (headers: Record<string, string>) =>
      (await call('GET', log + query, { headers })).body.data[0].attempts[0]
    const whole = await shown({})
    expect(whole).toMatchObject({ status: 200, response: 'what a local service says' })
    expect(await shown(guest)).toEqual({ ...whole, response: null })
    expect(await shown({ origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' })).toEqual(whole)
    expect(await shown({})).toEqual(whole)
  }
  await close()
})

test('redelivering shows the page no response either, even with the idempotency key of another', async () => {
  const { log, call, close } = await serveWithDelivery()
  const [{ id }] = (await call('GET', log)).body.data
  const again = async (headers: Record<string, string>) =>
    (await call('POST', `${log}/${id}/redeliver`, { headers: { 'idempotency-key': 'same', ...headers } })).body
      .attempts[0]
  expect((await again({})).response).toBe('what a local service says')
  expect((await again(guest)).response).toBeNull()
  await close()
})

test('the test of a webhook shows no attempts, to nobody', async () => {
  const { log, call, close } = await serveWithDelivery()
  for (const headers of [{}, guest])
    expect((await call('POST', log.replace('/deliveries', '/test'), { headers })).body).not.toHaveProperty('attempts')
  await close()
})

test('within a process the page is the one that is tested: it sees all, whatever its origin', async () => {
  const receiver = await startReceiver(() => ({ status: 200, body: 'thanks' }))
  const client = open()
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 1)
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { headers: guest })
  expect(body.data[0].attempts[0].response).toBe('thanks')
})
