import { expect, test } from 'vitest'
import { start } from '../support/test-api.ts'
import { startReceiver, verifies } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

const secondsOf = ({ headers }: { headers: Record<string, unknown> }) => Number(headers['webhook-timestamp'])

test('a receiver on the time of the world accepts every retry that an advanced clock releases', async () => {
  const client = open()
  let secret = ''
  const taken: boolean[] = []
  const receiver = await startReceiver(
    (received) => (taken.push(verifies(secret, received, client.world.clock.now())), 500),
  )
  ;({ secret } = await subscribe(client, receiver.url))
  await createPlants(client, 1)
  await client.world.settled()
  client.world.clock.advance('2h')
  await client.world.settled()
  expect(taken).toEqual([true, true, true, true])
})

test('an attempt is stamped when "sent" or when "due"; the log and the schedule use the due time', async () => {
  for (const [choice, expected] of [
    ['sent', [0, 7_200, 7_200, 7_200]],
    ['due', [0, 5, 305, 2_105]],
  ] as const) {
    const client = open({ assumptions: { 'webhooks.timestamp': choice } })
    const receiver = await startReceiver(() => 500)
    const { id } = await subscribe(client, receiver.url)
    await createPlants(client, 1)
    await client.world.settled()
    client.world.clock.advance('2h')
    await client.world.settled()
    const begun = Math.floor(Date.parse(start) / 1_000)
    expect(
      receiver.received.map((one) => secondsOf(one) - begun),
      choice,
    ).toEqual(expected)
    const { body } = await client.call('GET', `/v1/webhooks/${id}/deliveries`)
    expect(body.data[0].attempts.map(({ at }: any) => (Date.parse(at) - Date.parse(start)) / 1_000)).toEqual([
      0, 5, 305, 2_105,
    ])
  }
})

test('by "real" a receiver that goes by the machine\'s time takes deliveries of a world that is years away, also those of an examination', async () => {
  const client = open({ now: '2031-05-05T12:00:00Z', assumptions: { 'webhooks.timestamp': 'real' } })
  let secret = ''
  const receiver = await startReceiver((received) => (verifies(secret, received, Date.now()) ? 200 : 401))
  const webhook = await subscribe(client, receiver.url)
  ;({ secret } = webhook)
  await createPlants(client, 1)
  await client.world.settled()
  expect(client.world.records.deliveries.find((delivery) => delivery.webhook === webhook.id)).toMatchObject([
    { status: 'succeeded' },
  ])
  const { checks } = await client.world.examine(webhook.id)
  expect(checks.find(({ name }) => name === 'refuses-stale-timestamps')).toMatchObject({ result: 'passed' })
  expect(checks.find(({ name }) => name === 'verifies-signatures')).toMatchObject({ result: 'passed' })
})

test.each(['sent', 'due', 'real'] as const)(
  'a stale timestamp is stale by "%s" too, and its retry is not',
  async (choice) => {
    const client = open({ assumptions: { 'webhooks.timestamp': choice } })
    const now = () => (choice === 'real' ? Date.now() : client.world.clock.now())
    let secret = ''
    const taken: boolean[] = []
    const receiver = await startReceiver((received) => {
      const isGood = verifies(secret, received, now())
      taken.push(isGood)
      return isGood ? 200 : 401
    })
    ;({ secret } = await subscribe(client, receiver.url))
    client.world.use('webhook-stale-timestamp')
    await createPlants(client, 1)
    await client.world.settled()
    client.world.clock.advance('5s')
    await client.world.settled()
    expect(taken).toEqual([false, true])
  },
)
