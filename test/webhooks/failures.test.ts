import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { GreenhouseOptions } from 'greenhouse-mock'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createHandlers } from 'greenhouse-mock/msw'
import { listen as listenOn } from '../support/listen.ts'
import { type Client, createCaller, start } from '../support/test-api.ts'
import { startReceiver, verifies } from './receiver.ts'
import {
  advance,
  createPlants,
  deliver,
  deliverPlants,
  listen,
  logOf,
  open,
  openServed,
  subscribe,
} from './open.ts'

/** The same failures through fetch and through a server. */
const ways = [
  ['fetch', async (options: GreenhouseOptions) => open(options)],
  ['a server', async (options: GreenhouseOptions) => (await openServed(options)).client],
] as const

test.each(ways)('a redirect is not followed, and counts as a failure (%s)', async (_, open) => {
  const client = await open({ assumptions: { 'webhooks.retries': 'none' } })
  const elsewhere = await startReceiver()
  const { receiver, webhook } = await listen(client, () => ({
    status: 307,
    headers: { location: elsewhere.url },
  }))
  await deliverPlants(client, 1)
  expect(receiver.received).toHaveLength(1)
  expect(elsewhere.received).toHaveLength(0)
  const attempts = [{ status: 307, error: expect.stringContaining('redirect') }]
  expect(await logOf(client, webhook)).toMatchObject([{ status: 'failed', attempts }])
  const refusing = await subscribe(client, (await startReceiver(() => 400)).url)
  await deliverPlants(client, 1, 9_100)
  expect((await logOf(client, refusing))[0].attempts).toMatchObject([{ status: 400, error: null }])
})

test.each(ways)(
  'a receiver that never answers has its time, then the attempt fails (%s)',
  async (_, open) => {
    const client = await open({
      assumptions: { 'webhooks.timeout': '1s', 'webhooks.retries': 'none' },
    })
    const { webhook } = await listen(client, () => 'never')
    await createPlants(client, 1)
    await advance(client, '10s')
    const [delivery] = await logOf(client, webhook)
    const attempts = [{ status: null, error: 'No answer within 1 s.', response: null }]
    expect(delivery).toMatchObject({ status: 'failed', attempts })
    expect(delivery.attempts[0].latency_ms).toBeGreaterThan(900)
  },
)

test.each(ways)('what cannot be sent is a failure that says why (%s)', async (_, open) => {
  const client = await open({ assumptions: { 'webhooks.retries': 'none' } })
  await using broken = await listenOn(
    createServer((socket) => socket.once('data', () => socket.destroy())),
  )
  // Nothing listens there, no system assigns it, and fetch does not block it.
  const refused = await subscribe(client, 'http://127.0.0.1:4/hook')
  const cut = await subscribe(client, broken.url)
  await deliverPlants(client, 1)
  for (const [{ id }, reason] of [
    [refused, /ECONNREFUSED/],
    [cut, /hang up|closed/],
  ] as const) {
    const [delivery] = await logOf(client, { id })
    expect(delivery.attempts).toMatchObject([
      { status: null, error: expect.stringMatching(reason), response: null },
    ])
  }
})

test.each(ways)('no more than the first KiB of an answer is kept (%s)', async (_, open) => {
  const client = await open({})
  const { webhook } = await listen(client, () => ({ status: 200, body: 'a'.repeat(100_000) }))
  await deliverPlants(client, 1)
  const attempts = [{ status: 200, response: 'a'.repeat(1_024) }]
  expect(await logOf(client, webhook)).toMatchObject([{ status: 'succeeded', attempts }])
})

test.each(ways)(
  'a receiver that answers and then sends its body for ever has answered (%s)',
  async (_, open) => {
    const client = await open({
      assumptions: { 'webhooks.timeout': '1s', 'webhooks.retries': 'none' },
    })
    const drip = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
      const timer = setInterval(() => socket.write('a'), 50)
      socket.once('close', () => clearInterval(timer))
    }
    await using dripping = await listenOn(
      createServer((socket) => socket.once('data', () => drip(socket))),
    )
    const webhook = await subscribe(client, dripping.url)
    await deliverPlants(client, 1)
    const attempts = [{ status: 200, error: null, response: expect.stringMatching(/^a+$/) }]
    expect(await logOf(client, webhook)).toMatchObject([{ status: 'succeeded', attempts }])
  },
)

test('the log has every failure to send as a text', async () => {
  const client = open({ assumptions: { 'webhooks.retries': 'none' } })
  const thrown = [new Error('broken'), 'a text', undefined, null]
  client.greenhouse.deliverThrough({ send: () => Promise.reject(thrown.shift()) })
  const webhook = await subscribe(client, 'http://127.0.0.1:9/hook')
  await deliverPlants(client, 4)
  const log = await logOf(client, webhook)
  const errors = log.map(({ attempts }) => attempts[0].error)
  expect(errors).toEqual(['null', 'undefined', 'a text', 'broken'])
})

test.each(ways)(
  'a receiver that breaks off in its answer has not answered (%s)',
  async (_, open) => {
    const client = await open({ assumptions: { 'webhooks.retries': 'none' } })
    const cut = (socket: Socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\na', () => socket.destroy())
    await using breaking = await listenOn(
      createServer((socket) => socket.once('data', () => cut(socket))),
    )
    const webhook = await subscribe(client, breaking.url)
    await deliverPlants(client, 1)
    const attempts = [{ status: null, error: expect.stringMatching(/./), response: null }]
    expect(await logOf(client, webhook)).toMatchObject([{ status: 'failed', attempts }])
  },
)

test('requests do not wait for a receiver', async () => {
  const client = open()
  client.world.clock.run()
  await listen(client, () => 'never')
  await createPlants(client, 5)
  expect((await client.call('GET', '/plants')).status).toBe(200)
  client.world.reset()
  await client.world.settled()
})

test('a receiver that has answered leaves no timer behind, which would keep the process alive', async () => {
  const client = open()
  client.greenhouse.deliverThrough({ send: async () => ({ status: 200, body: '' }) })
  await subscribe(client, 'http://127.0.0.1:9/hook')
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  await deliverPlants(client, 20)
  expect(timers()).toBeLessThan(before + 10)
})

const dueIn = ({ world }: ReturnType<typeof open>) =>
  world.records.deliveries
    .find({ type: 'plant.created' })
    .map(({ next_attempt_at }) => next_attempt_at! - Date.parse(start))
    .sort((one, other) => one - other)

test('an event that is both late and delivered twice comes late, and the second time later still', async () => {
  const client = open()
  client.world.use('webhook-late', { by: '1h' })
  client.world.use('webhook-duplicate', { by: '1m' })
  await subscribe(client, 'http://127.0.0.1:9/none')
  await createPlants(client, 1)
  await client.call('GET', '/v1/apps')
  expect(dueIn(client)).toEqual([3_600_000, 3_660_000])
})

test('a failure of some events leaves the others as they are', async () => {
  const client = open()
  client.world.use('webhook-late', { events: 'app.*' })
  await subscribe(client, 'http://127.0.0.1:9/none')
  await createPlants(client, 2)
  await client.call('GET', '/v1/apps')
  expect(dueIn(client).map((due) => due < 3_600_000)).toEqual([true, true])
})

test('a receiver that answers 410 is never sent anything again, not even what was due already', async () => {
  const { client, receiver, webhook } = await deliver(3, (_, place) => (place < 3 ? 500 : 410))
  expect(receiver.received).toHaveLength(3)
  await advance(client, '30d')
  expect(receiver.received).toHaveLength(4)
  expect((await client.call('GET', `/v1/webhooks/${webhook.id}`)).body.enabled).toBe(false)
  await createPlants(client, 1, 9_100)
  await advance(client, '30d')
  expect(receiver.received).toHaveLength(4)
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data).toMatchObject(Array(3).fill({ status: 'failed', next_attempt_at: null }))
})

test('a webhook that is disabled or deleted gets no more attempts', async () => {
  for (const method of ['PATCH', 'DELETE']) {
    const { client, receiver, webhook } = await deliver(2, () => 500)
    expect(receiver.received).toHaveLength(2)
    await client.call(
      method,
      `/v1/webhooks/${webhook.id}`,
      method === 'PATCH' ? { body: { enabled: false } } : {},
    )
    await advance(client, '30d')
    expect(receiver.received, method).toHaveLength(2)
    const log = client.world.records.deliveries.find({ webhook: webhook.id })
    expect(log, method).toHaveLength(method === 'PATCH' ? 2 : 0)
  }
})

/** A body of two chunks. @param at the length of the first, in bytes. */
const inTwoParts = (text: string, at: number) =>
  new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text)
      for (const part of [bytes.slice(0, at), bytes.slice(at)]) controller.enqueue(part)
      controller.close()
    },
  })

test('in MSW, handlers of the user catch deliveries to any host', async () => {
  const { greenhouse, world } = open()
  const got: { headers: Record<string, string>; body: string }[] = []
  const server = setupServer(
    ...createHandlers(greenhouse, {
      plants: 'https://plants.example.com',
      apps: 'https://api.example.com/v1',
    }),
    http.post('https://hooks.example.com/in', async ({ request }) => {
      got.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
      return new HttpResponse(inTwoParts('thänks', 3), { status: got.length === 1 ? 500 : 200 })
    }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  const call = createCaller((path, init) =>
    fetch(
      (path.startsWith('/v1') ? 'https://api.example.com' : 'https://plants.example.com') + path,
      init,
    ),
  )
  const webhook = await subscribe({ call }, 'https://hooks.example.com/in')
  await deliverPlants({ call, world }, 1)
  await advance({ world }, '5s')
  expect(got).toHaveLength(2)
  expect(verifies(webhook.secret, got[0]!, Date.parse(start))).toBe(true)
  const attempts = [500, 200].map((status) => ({ status, response: 'thänks' }))
  expect((await logOf({ call }, webhook))[0]).toMatchObject({ status: 'succeeded', attempts })
})

test('a page follows no redirect, and reports it', async () => {
  const client = open()
  const answer = { type: 'opaqueredirect', status: 0, body: null } as Response
  const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(answer)
  onTestFinished(() => fetch.mockRestore())
  await subscribe(client, 'http://127.0.0.1:9/hook')
  await deliverPlants(client, 1)
  expect(
    client.world.records.deliveries.find(({ type }) => type === 'plant.created').at(-1)!.attempts,
  ).toMatchObject([
    { status: null, error: 'The receiver answered with a redirect, which is not followed.' },
  ])
})

test.each([
  [new TypeError('Failed to fetch'), 'Failed to fetch'],
  [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED', message: '' } }), 'ECONNREFUSED'],
  [new TypeError('fetch failed', { cause: new Error('no route') }), 'no route'],
])('an attempt whose fetch fails with %o says why: %s', async (error, why) => {
  const client = open({ assumptions: { 'webhooks.retries': 'none' } })
  using _ = vi.spyOn(globalThis, 'fetch').mockRejectedValue(error)
  const webhook = await subscribe(client, 'http://127.0.0.1:9/hook')
  await deliverPlants(client, 1)
  expect((await logOf(client, webhook))[0].attempts).toMatchObject([{ status: null, error: why }])
})

test.each(ways)('an answer without a body is an empty one (%s)', async (_, open) => {
  const client = await open({})
  const { webhook } = await listen(client, () => ({ status: 204 }))
  await deliverPlants(client, 1)
  const [{ attempts }] = await logOf(client, webhook)
  expect(attempts).toMatchObject([{ status: 204, error: null, response: '' }])
})

const account = { email: 'a@example.com', plan: 'pro_plus' }

/** Accounts without plants, `acct_1` and on, with the keys `key_1` and on. */
const accounts = (count: number) => ({
  accounts: Array.from({ length: count }, (_, at) => ({
    ...account,
    id: `acct_${at + 1}`,
    name: `Account ${at + 1}`,
  })),
  keys: Array.from({ length: count }, (_, at) => ({
    secret: `key_${at + 1}`,
    account: `acct_${at + 1}`,
  })),
})

/** An account with so many webhooks, to each of which one event is sent. */
async function openAccounts(count: number) {
  const { client } = await openServed({ fixtures: accounts(count) })
  const as = (account: number): Pick<Client, 'call'> => ({
    call: (method, path, options) =>
      client.call(method, path, { key: `key_${account}`, ...options }),
  })
  const sendTo = async (account: number, url: string, webhooks: number) => {
    for (let webhook = 0; webhook < webhooks; webhook++)
      await subscribe(as(account), `${url}?account=${account}&webhook=${webhook}`)
    await createPlants(as(account), 1, 10_000 * account)
  }
  return { ...client, as, sendTo }
}

test("one account's receivers that hang delay no other account's", async () => {
  const client = await openAccounts(2)
  const hung = await startReceiver(() => 'never')
  const good = await startReceiver()
  await client.sendTo(1, hung.url, 40)
  await client.sendTo(2, good.url, 1)
  await expect.poll(() => good.received.length).toBe(1)
  // No more than eight at once, and the rest of that account waits for them.
  await expect.poll(() => hung.received.length).toBe(8)
})

test('when hanging accounts take all places, the next account is still served', async () => {
  const client = await openAccounts(14)
  const hung = await startReceiver(() => 'never')
  const good = await startReceiver()
  for (let account = 1; account < 14; account++) await client.sendTo(account, hung.url, 9)
  await client.sendTo(14, good.url, 12)
  await expect.poll(() => good.received.length).toBe(12)
  // 64 places, and one more for each account that came too late for one of them.
  const places = (account: number) =>
    hung.received.filter(({ path }) => path.includes(`?account=${account}&`)).length
  await expect.poll(() => hung.received.length).toBe(8 * 8 + 5)
  expect(Array.from({ length: 13 }, (_, index) => places(index + 1))).toEqual([
    8, 8, 8, 8, 8, 8, 8, 8, 1, 1, 1, 1, 1,
  ])
})

test('every webhook of an account has its turn, each in the order in which things were due', async () => {
  const client = await openAccounts(1)
  const receiver = await startReceiver()
  const urls = Array.from({ length: 30 }, (_, webhook) => `${receiver.url}?webhook=${webhook}`)
  for (const url of urls) await subscribe(client.as(1), url)
  await createPlants(client.as(1), 5, 20_000)
  await client.world.settled()
  expect(receiver.received).toHaveLength(150)
  for (const url of urls) {
    const own = receiver.received.filter(({ path }) => url.endsWith(path))
    expect(own.map(({ body }) => JSON.parse(body).data.id)).toEqual([
      20_000, 20_001, 20_002, 20_003, 20_004,
    ])
  }
})
