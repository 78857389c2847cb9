import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { World } from 'greenhouse-mock'
import { open, type Client } from '../support/test-api.ts'
import { times } from '../support/soak.ts'

const settles = { '3s': 3_000, instant: 0, '1h': 3_600_000 }

type Name = 'a' | 'b'
type Method = 'pm_ok' | 'pm_declined' | 'pm_fails_later'
type Action =
  | { do: 'buy'; who: Name; amount: number; method: Method }
  | { do: 'say'; who: Name }
  | { do: 'wait'; ms: number }

/** Actions of one step are begun at once. */
type Step = Action[] | 'snapshot' | 'restore' | 'delete app'

const who = fc.constantFrom<Name>('a', 'a', 'b')
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      who,
      amount: fc.integer({ min: 1, max: 4 }),
      method: fc.constantFrom<Method>('pm_ok', 'pm_ok', 'pm_declined', 'pm_fails_later'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('say' as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1_000, 2_999, 3_000, 3_600_000),
    }),
  },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: action.map((one) => [one]) },
  { weight: 5, arbitrary: fc.array(action, { minLength: 2, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>('snapshot', 'restore', 'restore', 'delete app') },
)

/** The model of one account. */
interface Model {
  succeeded: number
  pending: { amount: number; at: number; method: Method }[]
  said: number
}

const seed = 20_260_301

for (const settle of Object.keys(settles) as (keyof typeof settles)[])
  test(
    `steps at once neither lose credits nor make them negative (${settle}, seed ${seed})`,
    { timeout: 120_000 },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20, size: 'max' }), (steps) =>
          run(settle, steps),
        ),
        { seed, numRuns: times(100, 8) },
      ),
  )

async function run(settle: keyof typeof settles, steps: readonly Step[]): Promise<void> {
  const names: Name[] = ['a', 'b']
  const { call, world } = open({
    assumptions: { 'payments.settle': settle },
    fixtures: {
      accounts: names.map((name) => ({
        id: `acct_${name}`,
        name,
        email: `${name}@example.com`,
        plan: 'pro_plus',
      })),
      keys: names.map((name) => ({ secret: `key_${name}`, account: `acct_${name}` })),
    },
  })
  let model = { a: none(), b: none() }
  let kept: { model: typeof model; paths: typeof paths } | undefined
  let paths = { a: await startConversation(call, 'a'), b: await startConversation(call, 'b') }

  for (const step of steps) {
    if (step === 'snapshot') {
      world.snapshot('kept')
      kept = structuredClone({ model, paths })
    } else if (step === 'restore') {
      if (kept) {
        world.restore('kept')
        ;({ model, paths } = structuredClone(kept))
      }
    } else if (step === 'delete app') {
      await call('DELETE', paths.a.split('/conversations')[0]!, { key: 'key_a' })
      paths = { ...paths, a: await startConversation(call, 'a') }
    } else {
      const room = { a: balanceOf(model.a), b: balanceOf(model.b) }
      const said = { a: 0, b: 0 }
      const tried = { a: 0, b: 0 }
      await Promise.all(
        step.map(async (action) => {
          if (action.do === 'wait') return world.clock.advance(action.ms)
          const key = `key_${action.who}`
          if (action.do === 'say') {
            tried[action.who]++
            const { status } = await call('POST', `${paths[action.who]}/messages`, {
              key,
              body: { content: 'Hi' },
            })
            expect([201, 403]).toContain(status)
            if (status === 201) said[action.who]++
            return
          }
          const { amount, method } = action
          const purchase = { amount, payment_method: method }
          const { status, body } = await call('POST', '/v1/credits/purchases', {
            key,
            body: purchase,
          })
          expect(status).toBe(method === 'pm_declined' ? 400 : 201)
          if (status === 201)
            model[action.who].pending.push({
              amount,
              method,
              at: Date.parse(body.created_at) + settles[settle],
            })
        }),
      )
      for (const name of names) {
        const mine = model[name]
        mine.said += said[name]
        settleDue(mine, world.clock.now())
        // Messages during a settlement may come before or after the credits.
        expect(said[name]).toBeGreaterThanOrEqual(Math.min(tried[name], room[name]))
        expect(said[name]).toBeLessThanOrEqual(Math.min(tried[name], balanceOf(mine) + said[name]))
      }
    }
    for (const name of names) {
      settleDue(model[name], world.clock.now())
      await compare(call, world, name, model[name])
    }
  }
}

async function compare(
  call: Client['call'],
  world: World,
  name: Name,
  model: Model,
): Promise<void> {
  const { body } = await call('GET', '/v1/credits', { key: `key_${name}` })
  expect(body).toEqual({ balance: balanceOf(model), purchased: model.succeeded, spent: model.said })
  expect(body.balance).toBeGreaterThanOrEqual(0)
  const purchases = (status: 'succeeded' | 'pending') =>
    world.records.purchases.find({ account: `acct_${name}`, status })
  expect(purchases('succeeded').reduce((sum, { amount }) => sum + amount, 0)).toBe(body.purchased)
  expect(purchases('pending')).toHaveLength(model.pending.length)
}

function settleDue(model: Model, now: number): void {
  for (const { amount, method, at } of model.pending)
    if (at <= now && method === 'pm_ok') model.succeeded += amount
  model.pending = model.pending.filter(({ at }) => at > now)
}

function balanceOf({ succeeded, said }: Model): number {
  return succeeded - said
}

function none(): Model {
  return { succeeded: 0, pending: [], said: 0 }
}

/** Creates an app with a conversation, and returns the conversation's path. */
async function startConversation(call: Client['call'], name: Name): Promise<string> {
  const key = `key_${name}`
  const { body: app } = await call('POST', '/v1/apps', { key, body: { name } })
  const { body: conversation } = await call('POST', `/v1/apps/${app.id}/conversations`, {
    key,
    body: {},
  })
  return `/v1/apps/${app.id}/conversations/${conversation.id}`
}
