import { expect, test } from 'vitest'
import type { GreenhouseOptions } from 'greenhouse-mock'
import { start, testApi } from '../support/test-api.ts'
import { testControl } from '../support/control.ts'
import { startReceiver } from './receiver.ts'
import {
  open,
  subscribe,
  createPlants,
  listen,
  deliver,
  deliverPlants,
  advance,
  logOf,
} from './open.ts'

const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000

const retryAt = '2026-03-01T12:00:35.000Z'

test.each([
  ['a 204', 204, {}, { status: 'succeeded', next_attempt_at: null }, true],
  ['a 500', 500, {}, { status: 'pending', next_attempt_at: retryAt }, true],
  ['a redirect', 302, {}, { status: 'pending', next_attempt_at: retryAt }, true],
  [
    'a 500 without retries',
    500,
    { 'webhooks.retries': 'none' },
    { status: 'failed', next_attempt_at: null },
    true,
  ],
  [
    'a 204 without retries',
    204,
    { 'webhooks.retries': 'none' },
    { status: 'succeeded', next_attempt_at: null },
    true,
  ],
  ['a 410', 410, {}, { status: 'failed', next_attempt_at: null }, false],
  [
    'a 410 like others',
    410,
    { 'webhooks.gone': 'retry' },
    { status: 'pending', next_attempt_at: retryAt },
    true,
  ],
] as const)(
  'after %s, a delivery and its webhook are in their next state',
  async (_, answer, assumptions, next, on) => {
    const { client, webhook } = await deliver(1, () => answer, { assumptions })
    expect(await logOf(client, webhook)).toMatchObject([next])
    expect(client.world.records.webhooks.get(webhook.id)!.enabled).toBe(on)
  },
)

test('a delivery that was ended or postponed by hand while it waited is not sent in its turn', async () => {
  const client = open()
  const { receiver } = await listen(client, () => 500)
  const { deliveries } = client.world.records
  for (const changes of [
    { status: 'failed' },
    { next_attempt_at: Date.parse('2026-04-01T00:00:00Z') },
  ] as const) {
    const sent = receiver.received.length + 1
    await client.call('POST', '/plants', { body: { id: 9_000 + sent, name: 'Fern' } })
    await client.world.settled()
    deliveries.update(deliveries.find({ type: 'plant.created' }).at(-1)!.id, changes)
    await advance(client, '1d')
    expect(receiver.received).toHaveLength(sent)
  }
})

test.each([
  ['standard', [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105]],
  ['fast', [0, 1, 3]],
  ['none', [0]],
] as const)('the retries "%s" are at %j seconds', async (choice, times) => {
  const client = open({ assumptions: { 'webhooks.retries': choice } })
  const { webhook } = await listen(client, () => 500)
  await createPlants(client, 1)
  await advance(client, '30d')
  const [delivery] = await logOf(client, webhook)
  expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null })
  expect(delivery.attempts.map(({ at }: any) => seconds(start, at))).toEqual(times)
})

test('a delivery waits for its time, whatever is sent meanwhile', async () => {
  const client = open()
  const { receiver, webhook } = await listen(client, (_, place) => (place === 0 ? 500 : 200))
  await deliverPlants(client, 1)
  client.world.use('webhook-late', { by: '1h', times: 1 })
  await deliverPlants(client, 2, 9_100)
  expect(receiver.received).toHaveLength(2)
  const states = (await logOf(client, webhook)).map(({ status }) => status)
  expect(states).toEqual(['succeeded', 'pending', 'pending'])
})

test('while time runs by itself, a retry comes by itself', async () => {
  const { call, world } = open({ assumptions: { 'webhooks.retries': 'fast' } })
  world.clock.run()
  let told = () => {}
  const second = new Promise<void>((resolve) => (told = resolve))
  const receiver = await startReceiver((_, place) => (place === 0 ? 500 : (told(), 200)))
  await call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['plant.created'] } })
  await call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  await second
  expect(receiver.received).toHaveLength(2)
})

testApi(
  'each redelivery that is accepted is sent, also while the clock stands still',
  {},
  async (client) => {
    const { call, world } = client
    const { receiver, id } = await listen(client)
    await createPlants(client, 1)
    await world.settled()
    const path = `/v1/webhooks/${id}/deliveries`
    const { body: log } = await call('GET', path)
    const answers = await Promise.all(
      [1, 2, 3].map(() => call('POST', `${path}/${log.data[0].id}/redeliver`)),
    )
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    await world.settled()
    expect(receiver.received).toHaveLength(4)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { body } = await call('GET', path)
    const attempts = Array(4).fill({ status: 200 })
    expect(body.data).toMatchObject([{ status: 'succeeded', next_attempt_at: null, attempts }])
  },
)

test('a redelivery accepted during an attempt follows it, whether time stands still or runs', async () => {
  for (const wait of ['0s', '1s', '-1s']) {
    const client = open()
    let answer = (_: number) => {}
    const sent: number[] = []
    client.greenhouse.deliverThrough({
      send: () =>
        new Promise(
          (resolve) => (
            sent.push(sent.length),
            (answer = (status) => resolve({ status, body: '' }))
          ),
        ),
    })
    const { id } = await subscribe(client, 'http://127.0.0.1:9/hook')
    await createPlants(client, 1)
    await expect.poll(() => sent.length).toBe(1)
    client.world.clock.advance(wait)
    const path = `/v1/webhooks/${id}/deliveries`
    const { body: log } = await client.call('GET', path)
    for (let time = 0; time < 2; time++)
      expect((await client.call('POST', `${path}/${log.data[0].id}/redeliver`)).status).toBe(202)
    for (let made = 1; made <= 3; made++) {
      await expect.poll(() => sent.length).toBe(made)
      answer(200)
    }
    await client.world.settled()
    expect(sent, wait).toHaveLength(3)
    const attempts = Array(3).fill({ status: 200 })
    const delivery = client.world.records.deliveries.get(log.data[0].id)
    expect(delivery).toMatchObject({ status: 'succeeded', next_attempt_at: null, attempts })
  }
})

test('disabling a webhook drops what it waited for, but not how its last attempt ended', async () => {
  const client = open()
  let answer = () => {}
  const sent: number[] = []
  client.greenhouse.deliverThrough({
    send: ({ body }) =>
      new Promise((resolve) => {
        sent.push(JSON.parse(body).data.id)
        answer = () => resolve({ status: 200, body: '' })
      }),
  })
  const path = `/v1/webhooks/${(await subscribe(client, 'http://127.0.0.1:9/hook')).id}`
  await createPlants(client, 3)
  await expect.poll(() => sent).toEqual([9_000])
  for (const enabled of [false, true]) await client.call('PATCH', path, { body: { enabled } })
  const log = async () => (await client.call('GET', `${path}/deliveries`)).body.data
  for (const { id } of (await log()).slice(0, 2))
    await client.call('POST', `${path}/deliveries/${id}/redeliver`)
  for (const expected of [[9_000], [9_000, 9_002], [9_000, 9_002, 9_001]]) {
    await expect.poll(() => sent).toEqual(expected)
    answer()
  }
  await client.world.settled()
  expect((await log()).map(({ status }: any) => status)).toEqual(Array(3).fill('succeeded'))
})

/** Subscribes, and delivers one event. */
async function deliverOne(answer: Parameters<typeof deliver>[1], options: GreenhouseOptions = {}) {
  const { client, receiver, id } = await deliver(1, answer, options)
  const path = `/v1/webhooks/${id}/deliveries`
  const { body: log } = await client.call('GET', path)
  const first: string = log.data[0].id
  const redeliver = () => client.call('POST', `${path}/${first}/redeliver`)
  return { client, receiver, path, first, redeliver }
}

test('the last redelivery that fails is tried again as any delivery is', async () => {
  const assumptions = { 'webhooks.retries': 'fast' } as const
  const { client, receiver, path, redeliver } = await deliverOne(
    (_, place) => (place === 0 ? 200 : 500),
    {
      assumptions,
    },
  )
  for (let time = 0; time < 3; time++) await redeliver()
  await client.world.settled()
  expect(receiver.received).toHaveLength(4)
  await advance(client, '1m')
  expect(receiver.received).toHaveLength(6)
  expect((await client.call('GET', path)).body.data[0]).toMatchObject({
    status: 'failed',
    next_attempt_at: null,
  })
})

test('redeliveries that a snapshot caught unsent are sent after its restore', async () => {
  const { client, receiver, first, redeliver } = await deliverOne(() => 200)
  await Promise.all([1, 2, 3].map(redeliver))
  client.world.snapshot('asked')
  const { redeliveries = 0, status } = client.world.records.deliveries.get(first)!
  await client.world.settled()
  const before = receiver.received.length
  client.world.restore('asked')
  await client.world.settled()
  expect(receiver.received.length - before).toBe(redeliveries + (status === 'pending' ? 1 : 0))
})

test('a webhook that is disabled gets none of the redeliveries that waited', async () => {
  const { client, receiver, first, redeliver } = await deliverOne((_, place) =>
    place === 1 ? 410 : 200,
  )
  for (let time = 0; time < 3; time++) await redeliver()
  await client.world.settled()
  expect(receiver.received).toHaveLength(2)
  expect(client.world.records.deliveries.get(first)).toMatchObject({
    status: 'failed',
    next_attempt_at: null,
  })
  expect(client.world.records.deliveries.get(first)!.redeliveries ?? 0).toBe(0)
})

test('a redelivery that fails takes its turn after the retries that are due at the same time', async () => {
  const { client, receiver, redeliver } = await deliverOne(() => 500)
  await deliverPlants(client, 1, 9_001)
  await redeliver()
  await client.world.settled()
  await advance(client, '5s')
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([
    9_000, 9_001, 9_000, 9_001, 9_000,
  ])
})

type Due = { at: string; kind: string; title: string; subject?: { collection: string; id: string } }

testControl(
  'what is due of a delivery tells which attempt it is, from the second on',
  async (controlled) => {
    const { control, call, greenhouse } = controlled
    const receiver = await startReceiver(() => 500)
    const world = greenhouse.world()
    world.clock.freeze()
    world.clock.set(start)
    world.records.webhooks.replace([])
    world.records.deliveries.replace([])
    const body = JSON.stringify({ url: receiver.url, events: ['plant.created'] })
    const { id } = (await (await call('/v1/webhooks', { method: 'POST', body })).json()) as {
      id: string
    }
    await call('/plants', { method: 'POST', body: '{"id":9001,"name":"Fern"}' })
    const titles = async () =>
      ((await control('GET', '/worlds/default/due?limit=1000')).body.data as Due[])
        .filter(({ kind }) => kind === 'delivery')
        .map(({ title }) => title)
    await expect.poll(titles).toEqual([`plant.created is sent to ${id} again, attempt 2`])
    await control('POST', '/worlds/default/due/next')
    await expect.poll(titles).toEqual([`plant.created is sent to ${id} again, attempt 3`])
    const ids = ['dlv_aaaaaaaaaaaaaaaa', 'dlv_bbbbbbbbbbbbbbbb']
    const [delivery] = world.records.deliveries.all()
    world.records.deliveries.replace(ids.map((id) => ({ ...delivery!, id, tries: 0 })))
    expect(await titles()).toEqual(ids.map(() => `plant.created is sent to ${id}`))
  },
)
