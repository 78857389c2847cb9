import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

/** The same failures through fetch and through a server. */
const ways = [
  ['fetch', async (options: GreenhouseOptions) => open(options)],
  [
    'a server',
    async (options: GreenhouseOptions) => {
      const client = open(options)
      const server = await serve(client.greenhouse)
      onTestFinished(() => server.close())
      return client
    },
  ],
] as const

test.each(ways)('a redirect is not followed, and counts as a failure (%s)', async (_, open) => {
  const client = await open({ assumptions: { 'webhooks.retries': 'none' } })
  const elsewhere = await startReceiver()
  const receiver = await startReceiver(() => ({ status: 307, headers: { location: elsewhere.url } }))
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 1)
  await client.world.settled()
  expect(receiver.received).toHaveLength(1)
  expect(elsewhere.received).toHaveLength(0)
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0]).toMatchObject({
    status: 'failed',
    attempts: [{ status: 307, error: expect.stringContaining('redirect') }],
  })
  const refusing = await subscribe(client, (await startReceiver(() => 400)).url)
  await createPlants(client, 1, 9_100)
  await client.world.settled()
  const refused = await client.call('GET', `/v1/webhooks/${refusing.id}/deliveries`)
  expect(refused.body.data[0].attempts).toMatchObject([{ status: 400, error: null }])
})

test.each(ways)('a receiver that never answers has its time, then the attempt fails (%s)', async (_, open) => {
  const client = await open({ assumptions: { 'webhooks.timeout': '1s', 'webhooks.retries': 'none' } })
  const receiver = await startReceiver(() => 'never')
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 1)
  client.world.clock.advance('10s')
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0]).toMatchObject({
    status: 'failed',
    attempts: [{ status: null, error: 'No answer within 1 s.', response: null }],
  })
  expect(body.data[0].attempts[0].latency_ms).toBeGreaterThan(900)
})

test.each(ways)('what cannot be sent or signed is a failure that says why (%s)', async (_, open) => {
  const client = await open({ assumptions: { 'webhooks.retries': 'none' } })
  const { url, close } = await startReceiver()
  close()
  const broken = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  onTestFinished(() => void broken.close())
  const refused = await subscribe(client, url)
  const cut = await subscribe(client, `http://127.0.0.1:${(broken.address() as { port: number }).port}/`)
  const unsigned = await subscribe(client, url)
  await client.world.records.webhooks.update(unsigned.id, { secret: 'whsec_?' })
  await createPlants(client, 1)
  await client.world.settled()
  for (const [{ id }, reason] of [
    [refused, /ECONNREFUSED/],
    [cut, /hang up|closed/],
    [unsigned, /the secret of the webhook is not base64/],
  ] as const) {
    const { body } = await client.call('GET', `/v1/webhooks/${id}/deliveries`)
    expect(body.data[0].attempts).toMatchObject([
      { status: null, error: expect.stringMatching(reason), response: null },
    ])
  }
})

test.each(ways)('no more than the first KiB of an answer is kept (%s)', async (_, open) => {
  const client = await open({})
  const receiver = await startReceiver(() => ({ status: 200, body: 'a'.repeat(100_000) }))
  const webhook = await subscribe(client, receiver.url)
  await createPlants(client, 1)
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0]).toMatchObject({ status: 'succeeded', attempts: [{ status: 200, response: 'a'.repeat(1_024) }] })
})

test.each(ways)('a receiver that answers and then sends its body for ever has answered (%s)', async (_, open) => {
  const client = await open({ assumptions: { 'webhooks.timeout': '1s', 'webhooks.retries': 'none' } })
  const dripping = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        const timer = setInterval(() => socket.write('a'), 50)
        socket.once('close', () => clearInterval(timer))
      })
  }).listen(0, '127.0.0.1')
  await once(dripping, 'listening')
  onTestFinished(() => void dripping.close())
  const webhook = await subscribe(client, `http://127.0.0.1:${(dripping.address() as { port: number }).port}/`)
  await createPlants(client, 1)
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0]).toMatchObject({
    status: 'succeeded',
    attempts: [{ status: 200, error: null, response: expect.stringMatching(/^a+$/) }],
  })
})

test('requests do not wait for a receiver', async () => {
  const greenhouse = createGreenhouse()
  const call = createCaller((path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init)))
  const receiver = await startReceiver(() => 'never')
  await subscribe({ call }, receiver.url)
  await createPlants({ call }, 5)
  expect((await call('GET', '/plants')).status).toBe(200)
  greenhouse.world().reset()
  await greenhouse.world().settled()
})

test('a receiver that has answered leaves no timer behind, which would keep the process alive', async () => {
  const client = open()
  client.greenhouse.deliverThrough({ send: async () => ({ status: 200, body: '' }) })
  await subscribe(client, 'http://127.0.0.1:9/hook')
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  await createPlants(client, 20)
  await client.world.settled()
  expect(timers()).toBeLessThan(before + 10)
})
