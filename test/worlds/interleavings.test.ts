import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { times } from '../support/soak.ts'

interface Model {
  now: number
  plants: { id: number; name: string }[]
  purchased: number
  pending: { id: string; amount: number; at: number }[]
  settled: Record<string, string>
}

const begin = Date.parse('2026-03-01T12:00:00Z')
const fixtures = {
  accounts: [{ id: 'acct', name: 'A', email: 'a@example.com', plan: 'pro_plus' }],
  keys: [{ secret: 'key', account: 'acct' }],
  plants: [1, 2, 3].map((id) => ({ id, name: `Plant ${id}`, account: 'acct' })),
}
const fresh = (): Model => ({
  now: begin,
  plants: fixtures.plants.map(({ id, name }) => ({ id, name })),
  purchased: 0,
  pending: [],
  settled: {},
})

/** The same numbers for the same seed. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function advance(model: Model, milliseconds: number): void {
  model.now += milliseconds
  for (const { id, amount } of model.pending.filter(({ at }) => at <= model.now)) {
    model.purchased += amount
    model.settled[id] = 'succeeded'
  }
  model.pending = model.pending.filter(({ at }) => at > model.now)
}

/**
 * Every step is made in the same turn as those before it, and every reply is compared to the byte.
 */
async function play(seed: number, steps: number): Promise<void> {
  const random = createRandom(seed)
  const greenhouse = createGreenhouse({ fixtures, now: begin, seed })
  const world = greenhouse.world()
  world.clock.freeze()
  world.clock.set(begin)
  let model = fresh()
  const snapshots = new Map<string, Model>()
  const checks: Promise<void>[] = []
  const ask = (
    method: string,
    path: string,
    body: unknown,
    check: (status: number, text: string) => void,
  ) => {
    const request = {
      method,
      path,
      search: '',
      headers: {
        authorization: 'Bearer key',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
    }
    checks.push(
      Promise.resolve(greenhouse.handle(request)).then(({ status: got, body: sent }) =>
        check(got, String(sent ?? '')),
      ),
    )
  }
  const expectReply = (method: string, path: string, body: unknown, status: number, text: string) =>
    ask(method, path, body, (gotStatus, gotText) =>
      expect([method, path, gotStatus, gotText]).toEqual([method, path, status, text]),
    )
  const bought: string[] = []
  for (let step = 0; step < steps; step++) {
    const id = 1 + random(12)
    switch (random(10)) {
      case 0:
      case 1: {
        const name = `Plant ${id} of step ${step}`
        const isKnown = model.plants.some((plant) => plant.id === id)
        if (isKnown) ask('POST', '/plants', { id, name }, (status) => expect(status).toBe(400))
        else {
          model.plants = [...model.plants, { id, name }]
          expectReply('POST', '/plants', { id, name }, 200, JSON.stringify({ name }))
        }
        break
      }
      case 2: {
        const isKnown = model.plants.some((plant) => plant.id === id)
        model.plants = model.plants.filter((plant) => plant.id !== id)
        ask('DELETE', `/plants/${id}`, undefined, (status) =>
          expect(status).toBe(isKnown ? 204 : 404),
        )
        break
      }
      case 3:
        expectReply(
          'GET',
          '/plants',
          undefined,
          200,
          JSON.stringify(model.plants.map(({ name }) => ({ name }))),
        )
        break
      case 4: {
        const amount = 1 + random(50)
        const made = { id: '', amount, at: model.now + 3_000 }
        const [before] = world.records.purchases.all().slice(-1)
        ask('POST', '/v1/credits/purchases', { amount, payment_method: 'pm_ok' }, (status) =>
          expect(status).toBe(201),
        )
        const [purchase] = world.records.purchases.all().slice(-1)
        expect(purchase).not.toBe(before)
        made.id = purchase!.id
        bought.push(made.id)
        model.pending = [...model.pending, made]
        break
      }
      case 5: {
        const purchased = model.purchased
        ask('GET', '/v1/credits', undefined, (_status, text) =>
          expect(JSON.parse(text).purchased).toBe(purchased),
        )
        for (const one of bought.slice(-3)) {
          const isThere =
            model.settled[one] !== undefined || model.pending.some((pending) => pending.id === one)
          expect(world.records.purchases.get(one)?.status).toBe(
            isThere ? (model.settled[one] ?? 'pending') : undefined,
          )
        }
        break
      }
      case 6: {
        const milliseconds = 500 * random(10)
        advance(model, milliseconds)
        world.clock.advance(milliseconds)
        break
      }
      case 7: {
        const name = `s${random(3)}`
        world.snapshot(name)
        snapshots.set(name, structuredClone(model))
        break
      }
      case 8: {
        const name = `s${random(3)}`
        const kept = snapshots.get(name)
        if (!kept) break
        world.restore(name)
        model = structuredClone(kept)
        break
      }
      default:
        if (random(8) > 0) break
        world.reset()
        world.clock.freeze()
        world.clock.set(begin)
        snapshots.clear()
        model = fresh()
    }
  }
  await Promise.all(checks)
  expect(world.records.plants.all().map(({ id, name }) => ({ id, name }))).toEqual(model.plants)
}

test('any order of requests, snapshots, restores, resets and due work matches a plain model', async () => {
  for (let seed = 1; seed <= times(400, 10); seed++) await play(seed, 50)
})
