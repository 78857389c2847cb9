import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startReceiver, type Received } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'
import { times } from '../support/soak.ts'

const step = fc.oneof(
  fc.record({ kind: fc.constant('events' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('time' as const), by: fc.constantFrom('1s', '5s', '6m', '40m', '3h', '12h') }),
  fc.record({ kind: fc.constant('receiver' as const), answers: fc.constantFrom(200, 204, 302, 404, 500, 503) }),
  fc.record({ kind: fc.constant('wait' as const) }),
)

test('each event is delivered at least once as long as its receiver recovers in time, and never after 410', async () => {
  let answers: number
  let got: Received[] = []
  const receiver = await startReceiver((received) => (got.push(received), answers))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, endsGone) => {
      got = []
      answers = 200
      const client = open()
      const webhook = await subscribe(client, receiver.url)
      let made = 0
      let passed = 0
      for (const step of steps) {
        if (step.kind === 'events') await createPlants(client, step.count, 10_000 + made)
        if (step.kind === 'events') made += step.count
        // The last attempt is three days after the first: a receiver that is back by then has missed nothing.
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
        await createPlants(client, 2, 20_000)
        await client.world.settled()
        const before = got.length
        client.world.clock.advance('30d')
        await createPlants(client, 2, 30_000)
        await client.world.settled()
        expect(got.length).toBe(before)
        expect(client.world.records.webhooks.get(webhook.id)!.enabled).toBe(false)
        return
      }
      answers = 200
      client.world.clock.advance('30d')
      await client.world.settled()
      const delivered = new Set(got.map(({ body }) => JSON.parse(body).data.id))
      expect(delivered.size).toBe(made)
      for (const { status } of client.world.records.deliveries.find((delivery) => delivery.webhook === webhook.id)) expect(status).toBe('succeeded')
      const times = got.map(({ headers }) => Number(headers['webhook-timestamp']))
      expect(times).toEqual([...times].sort((one, other) => one - other))
    }),
    { seed: 20_260_304, numRuns: times(100, 50) },
  )
})
