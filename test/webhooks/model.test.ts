import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startReceiver, verifies, type Received } from './receiver.ts'
import { open, subscribe, createPlants, deliverPlants, advance } from './open.ts'
import { times } from '../support/soak.ts'

const step = fc.oneof(
  fc.record({ kind: fc.constant('events' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant('time' as const),
    by: fc.constantFrom('1s', '5s', '6m', '40m', '3h', '12h'),
  }),
  fc.record({
    kind: fc.constant('receiver' as const),
    answers: fc.constantFrom(200, 204, 302, 404, 500, 503),
  }),
  fc.record({ kind: fc.constant('wait' as const) }),
)

const wider = fc.oneof(
  { weight: 4, arbitrary: step },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('snapshot' as const, 'restore' as const, 'rotate' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('redeliver' as const),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
)

test('each event is delivered at least once if its receiver recovers in time, never after a 410', async () => {
  let answers: number
  let got: Received[] = []
  const receiver = await startReceiver((received) => (got.push(received), answers))
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (steps, endsGone) => {
        got = []
        answers = 200
        const client = open()
        const webhook = await subscribe(client, receiver.url)
        let made = 0
        let passed = 0
        for (const step of steps) {
          if (step.kind === 'events') await createPlants(client, step.count, 10_000 + made)
          if (step.kind === 'events') made += step.count
          // The last attempt is three days after the first: a receiver that is back by then has
          // missed nothing.
          if (step.kind === 'time' && passed++ < 5) client.world.clock.advance(step.by)
          if (step.kind === 'receiver') {
            await client.world.settled()
            answers = step.answers
          }
          if (step.kind === 'wait') await client.world.settled()
        }
        await client.world.settled()
        if (endsGone) {
          answers = 410
          await deliverPlants(client, 2, 20_000)
          const before = got.length
          client.world.clock.advance('30d')
          await deliverPlants(client, 2, 30_000)
          expect(got.length).toBe(before)
          expect(client.world.records.webhooks.get(webhook.id)!.enabled).toBe(false)
          return
        }
        answers = 200
        await advance(client, '30d')
        const delivered = new Set(got.map(({ body }) => JSON.parse(body).data.id))
        expect(delivered.size).toBe(made)
        for (const { status } of client.world.records.deliveries.find(
          (delivery) => delivery.webhook === webhook.id,
        ))
          expect(status).toBe('succeeded')
        const times = got.map(({ headers }) => Number(headers['webhook-timestamp']))
        expect(times).toEqual([...times].sort((one, other) => one - other))
      },
    ),
    { seed: 20_260_304, numRuns: times(100, 10) },
  )
})

test('after restores and rotations, every known event arrives with a unique id, validly signed', async () => {
  let client: ReturnType<typeof open>
  let answers: number
  let secret = ''
  let got: Received[] = []
  let unsigned = 0
  const receiver = await startReceiver((received) => {
    got.push(received)
    if (!verifies(secret, received, client.world.clock.now(), Infinity)) unsigned++
    return answers
  })
  await fc.assert(
    fc.asyncProperty(fc.array(wider, { minLength: 1, maxLength: 14 }), async (steps) => {
      ;[got, answers, unsigned, client] = [[], 200, 0, open()]
      const { world, call } = client
      const { id, ...webhook } = await subscribe(client, receiver.url)
      secret = webhook.secret
      let made = 0
      let passed = 0
      let known: number[] = []
      let kept: { known: number[]; secret: string } | undefined
      for (const step of steps) {
        if (step.kind === 'events') {
          await createPlants(client, step.count, 10_000 + made)
          for (let one = 0; one < step.count; one++) known.push(10_000 + made++)
        }
        if (step.kind === 'time' && passed++ < 5) world.clock.advance(step.by)
        if (step.kind === 'events' || step.kind === 'time') continue
        await world.settled()
        if (step.kind === 'receiver') answers = step.answers
        if (step.kind === 'snapshot') {
          world.snapshot('kept')
          kept = { known: [...known], secret }
        }
        if (step.kind === 'restore' && kept) {
          world.restore('kept')
          ;({ secret } = kept)
          known = [...kept.known]
          await world.settled()
        }
        if (step.kind === 'rotate')
          ({ secret } = (await call('POST', `/v1/webhooks/${id}/rotate-secret`)).body)
        const newest =
          step.kind === 'redeliver'
            ? world.records.deliveries.find((delivery) => delivery.webhook === id).at(-1)
            : undefined
        if (step.kind === 'redeliver' && newest) {
          const before = got.length
          for (let time = 0; time < step.times; time++)
            expect(
              (await call('POST', `/v1/webhooks/${id}/deliveries/${newest.id}/redeliver`)).status,
            ).toBe(202)
          await world.settled()
          expect(got.length - before).toBe(step.times)
        }
      }
      await world.settled()
      answers = 200
      world.clock.advance('30d')
      await world.settled()
      const delivered = new Map<unknown, unknown>()
      for (const { headers, body } of got) {
        const { id: plant } = JSON.parse(body).data
        expect(delivered.get(headers['webhook-id']) ?? plant).toBe(plant)
        delivered.set(headers['webhook-id'], plant)
      }
      expect([...delivered.values()]).toEqual(expect.arrayContaining(known))
      expect(unsigned).toBe(0)
    }),
    { seed: 20_260_305, numRuns: times(100, 10) },
  )
})
