import { expect, test } from 'vitest'
import { createNodeTransport, type ResolveHost } from '../../src/node-http/webhook-transport.ts'
import { createFetchTransport } from '../../src/core/http/webhook-transport.ts'
import { testApi } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { open, openServed, subscribe, deliverPlants, logOf } from './open.ts'

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
  [
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
  ],
  [
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:10.0.0.1]/',
  ],
  ['http://[::ffff:a9fe:a9fe]/', 'http://2852039166/', 'http://0xa9fea9fe/', 'http://203.0.113.9/'],
  ['https://203.0.113.9/'],
].flat()

const send = (transport: Pick<ReturnType<typeof createNodeTransport>, 'send'>, url: string) =>
  transport.send({ url, ...message }, never)

test.each(foreign)(
  '%s is rejected before anything is sent, with an error that names the flag',
  async (url) => {
    await expect(send(createNodeTransport(), url)).rejects.toThrow(/^Blocked: .*--webhook-allow/)
  },
)

test.each(
  [
    [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '127.1',
      '[::ffff:7f00:1]',
      'localhost',
      'localhost.',
    ],
    ['LOCALHOST'],
  ].flat(),
)('%s is this machine', async (host) => {
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const resolve = resolvingTo('127.0.0.1')
  const answer = await send(createNodeTransport([], resolve), `http://${host}:${port}/hook`)
  expect(answer).toEqual({ status: 200, body: '' })
  expect(receiver.received).toHaveLength(1)
})

const rebound = /^Blocked: rebind\.test \(.+\).*--webhook-allow rebind\.test/

test.each([
  [['10.1.2.3'], rebound],
  [['127.0.0.1', '10.1.2.3'], rebound],
  [['::ffff:169.254.169.254'], rebound],
  [['fe80::1'], rebound],
  [[], 'The host name rebind.test has no address.'],
])('a name that resolves to %j is rejected', async (addresses, message) => {
  const transport = createNodeTransport([], resolvingTo(...addresses))
  await expect(send(transport, 'http://rebind.test/')).rejects.toThrow(message)
})

test('a name is resolved for every connection, and blocked once its address is not allowed', async () => {
  const receiver = await startReceiver()
  receiver.server.keepAliveTimeout = 0
  const { port } = new URL(receiver.url)
  let asked = 0
  const transport = createNodeTransport([], (...args) =>
    resolvingTo(asked++ === 0 ? '127.0.0.1' : '192.168.0.1')(...args),
  )
  const url = `http://rebind.test:${port}/`
  expect((await send(transport, url)).status).toBe(200)
  await expect(send(transport, url)).rejects.toThrow(/^Blocked: rebind\.test \(192\.168\.0\.1\)/)
  expect(receiver.received).toHaveLength(1)
})

test.each(['a server', 'fetch'])(
  'the delivery log says what was blocked, through %s',
  async (way) => {
    const client = way === 'fetch' ? open() : (await openServed()).client
    const host = await subscribe(client, 'http://203.0.113.9/hook')
    const api = await subscribe(client, 'http://localhost:4010/__greenhouse/worlds/default/reset')
    await deliverPlants(client, 1)
    const blocked = /^Blocked: 203\.0\.113\.9 is not this machine.*--webhook-allow 203\.0\.113\.9/
    for (const [webhook, error] of [
      [host, blocked],
      [api, /control API/],
    ] as const) {
      const [{ attempts }] = await logOf(client, webhook)
      expect(attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(error) })
    }
  },
)

test('a host that is allowed is reached, whatever its address; other hosts are not', async () => {
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  // No loopback address, and yet it leads here.
  const transport = createNodeTransport(['Hooks.test'], resolvingTo('0.0.0.0'))
  expect((await send(transport, `http://hooks.test.:${port}/hook`)).status).toBe(200)
  await expect(send(transport, `http://other.test:${port}/hook`)).rejects.toThrow(
    /^Blocked: other\.test/,
  )
  expect(receiver.received).toHaveLength(1)
})

test('without a server, through fetch, the same addresses are refused', async () => {
  const client = open({ assumptions: { 'webhooks.retries': 'none' } })
  const named = [
    'http://example.com/',
    'http://localhost.evil.test/',
    'http://127.0.0.1.evil.test/',
  ]
  const webhooks = await Promise.all([...foreign, ...named].map((url) => subscribe(client, url)))
  await deliverPlants(client, 1)
  for (const webhook of webhooks)
    expect((await logOf(client, webhook))[0].attempts[0].error).toMatch(/^Blocked: /)
})

const spellings = [
  '/__greenhouse',
  '/__greenhouse/',
  '/__greenhouse?x',
  '/__greenhouse/worlds/default/reset',
  '/%5f_greenhouse/worlds/default/reset',
  '/%5F%5Fgreen%68ouse/worlds/default/reset',
  '/%255f_greenhouse/worlds/default/reset',
  '/%25255f_greenhouse/worlds/default/reset',
  '/__GREENHOUSE/worlds/default/reset',
  '//__greenhouse/worlds/default/reset',
  '/x/../__greenhouse/worlds/default/reset',
  '/x/%2e%2e/__greenhouse/worlds/default/reset',
  '/~default/__greenhouse/worlds/default/reset',
  '/mock/__greenhouse/worlds/default/reset',
  '/x%2f__greenhouse/worlds/default/reset',
  '/x\\__greenhouse/worlds/default/reset',
  '/x%5c__greenhouse/worlds/default/reset',
  '/__greenhouse;a=1/worlds/default/reset',
]

const transports = {
  'a server': () => createNodeTransport(['hooks.example']),
  fetch: () => createFetchTransport(['hooks.example'], () => false),
  'fetch under MSW': () => createFetchTransport([], () => true),
}

test.each(Object.entries(transports))(
  '%s sends nothing to a control API, however spelt',
  async (_name, create) => {
    for (const origin of [
      'http://127.0.0.1:4010',
      'http://localhost.:4010',
      'https://hooks.example',
      'http://[::1]:1',
    ])
      for (const path of spellings)
        await expect(send(create(), origin + path), origin + path).rejects.toThrow(
          'Blocked: the control API of a Greenhouse does not accept webhooks.',
        )
  },
)

test('paths that only resemble it are delivered to', async () => {
  const receiver = await startReceiver()
  const { origin } = new URL(receiver.url)
  const greenhouses = [
    '/__greenhouses',
    '/_greenhouse',
    '/hook/__greenhouse-2',
    '/hook?to=/__greenhouse',
  ]
  const paths = [...greenhouses, '/%zz/%', '/100%25']
  for (const create of Object.values(transports))
    for (const path of paths) expect((await send(create(), origin + path)).status).toBe(200)
  expect(receiver.received).toHaveLength(paths.length * 3)
})

testApi(
  'an attempt to a .invalid host fails at once and sends nothing',
  async ({ call, world }) => {
    const webhook = await subscribe({ call }, 'https://crm.invalid/hook')
    await deliverPlants({ call, world }, 1)
    const [delivery] = await logOf({ call }, webhook)
    const attempts = [{ status: null, error: 'getaddrinfo ENOTFOUND crm.invalid' }]
    expect(delivery).toMatchObject({ status: 'pending', attempts })
  },
)
