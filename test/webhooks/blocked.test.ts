import { expect, test } from 'vitest'
import { createNodeTransport, type ResolveHost } from '../../src/node-http/webhook-transport.ts'
import { serve } from 'greenhouse-mock/server'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

const message = { headers: { 'Content-Type': 'application/json' }, body: '{}' }
const never = new AbortController().signal
const resolvingTo =
  (...addresses: string[]): ResolveHost =>
  (_host, _options, tell) =>
    tell(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

const foreign = [
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://172.16.0.1/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://203.0.113.9/',
  'https://203.0.113.9/',
]

test.each(foreign)('%s is refused before anything is sent, with an error that names the flag', async (url) => {
  await expect(createNodeTransport().send({ url, ...message }, never)).rejects.toThrow(/^Blocked: .*--webhook-allow/)
})

test.each([
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '127.1',
  '[::ffff:7f00:1]',
  'localhost',
  'localhost.',
  'LOCALHOST',
])('%s is this machine', async (host) => {
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const resolve = resolvingTo('127.0.0.1')
  expect(
    await createNodeTransport([], resolve).send({ url: `http://${host}:${port}/hook`, ...message }, never),
  ).toEqual({ status: 200, body: '' })
  expect(receiver.received).toHaveLength(1)
})

test.each([[['10.1.2.3']], [['127.0.0.1', '10.1.2.3']], [['::ffff:169.254.169.254']], [['fe80::1']]])(
  'a name that resolves to %j is refused',
  async (addresses) => {
    await expect(
      createNodeTransport([], resolvingTo(...addresses)).send({ url: 'http://rebind.test/', ...message }, never),
    ).rejects.toThrow(/^Blocked: rebind\.test \(.+\).*--webhook-allow rebind\.test/)
  },
)

test('a name without any address is a failure that says so', async () => {
  await expect(
    createNodeTransport([], resolvingTo()).send({ url: 'http://nowhere.test/', ...message }, never),
  ).rejects.toThrow('The host name nowhere.test has no address.')
})

test('a name is resolved for every connection, and blocked once its address is not allowed', async () => {
  const receiver = await startReceiver()
  receiver.server.keepAliveTimeout = 0
  const { port } = new URL(receiver.url)
  let asked = 0
  const transport = createNodeTransport([], (...args) =>
    resolvingTo(asked++ === 0 ? '127.0.0.1' : '192.168.0.1')(...args),
  )
  const request = { url: `http://rebind.test:${port}/`, ...message }
  expect((await transport.send(request, never)).status).toBe(200)
  await expect(transport.send(request, never)).rejects.toThrow(/^Blocked: rebind\.test \(192\.168\.0\.1\)/)
  expect(receiver.received).toHaveLength(1)
})

test("a Greenhouse's control API takes no webhooks", async () => {
  const client = open()
  await using server = await serve(client.greenhouse)
  const webhook = await subscribe(client, `${server.url}/__greenhouse/worlds/default/reset`)
  await createPlants(client, 1)
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0].attempts[0]).toMatchObject({ status: null, error: expect.stringContaining('control API') })
})

test('the delivery log of a server names the blocked host and the flag', async () => {
  const client = open()
  await using _server = await serve(client.greenhouse)
  const webhook = await subscribe(client, 'http://203.0.113.9/hook')
  await createPlants(client, 1)
  await client.world.settled()
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0].attempts[0].error).toMatch(
    /^Blocked: 203\.0\.113\.9 is not this machine.*--webhook-allow 203\.0\.113\.9/,
  )
})

test('a host that is allowed is reached, whatever its address; other hosts are not', async () => {
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  // No loopback address, and yet it leads here.
  const transport = createNodeTransport(['Hooks.test'], resolvingTo('0.0.0.0'))
  expect((await transport.send({ url: `http://hooks.test.:${port}/hook`, ...message }, never)).status).toBe(200)
  await expect(transport.send({ url: `http://other.test:${port}/hook`, ...message }, never)).rejects.toThrow(
    /^Blocked: other\.test/,
  )
  expect(receiver.received).toHaveLength(1)
})

test('without a server, through fetch, the same addresses are refused', async () => {
  const client = open({ assumptions: { 'webhooks.retries': 'none' } })
  const ids: string[] = []
  for (const url of [...foreign, 'http://example.com/', 'http://localhost.evil.test/', 'http://127.0.0.1.evil.test/'])
    ids.push((await subscribe(client, url)).id)
  await createPlants(client, 1)
  await client.world.settled()
  for (const id of ids)
    expect((await client.call('GET', `/v1/webhooks/${id}/deliveries`)).body.data[0].attempts[0].error).toMatch(
      /^Blocked: /,
    )
})
