import fc from 'fast-check'
import { expect, test } from 'vitest'
import { open, start } from '../support/test-api.ts'
import { times } from '../support/soak.ts'

const day = 86_400_000
const minute = { free: '60', lite: '120', pro: '300', pro_plus: '600' }

type Plan = keyof typeof minute
type Kind = '30d' | 'month'

type Step =
  | { do: 'put'; plan: Plan }
  | { do: 'cancel' }
  | { do: 'wait'; ms: number }
  | { do: 'wait for the end'; offset: number }
  | { do: 'fail' }
  | { do: 'mend' }
  | { do: 'snapshot' }
  | { do: 'restore' }
  | { do: 'reset' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      plan: fc.constantFrom<Plan>('free', 'lite', 'pro', 'pro_plus'),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ do: 'cancel' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.integer({ min: 1, max: 100 * day }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.constantFrom(2 * day - 1, 2 * day, 3 * day),
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait for the end' as const),
      offset: fc.constantFrom(-1, 0, 1),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'fail' }, { do: 'mend' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>({ do: 'snapshot' }, { do: 'restore' }, { do: 'reset' }),
  },
)

/** A subscription as a correct service has it. */
interface Model {
  plan: Plan
  anchor: number
  ending?: { start: number; end: number; asked: number }
  former?: Plan
  unpaid?: { since: number; attempts: number }
}

/** When an unpaid renewal is charged again, and when for the last time. */
const retries = [3 * day, 5 * day, 7 * day]

const seed = 20_260_301
const begun = Date.parse('2025-12-31T09:00:00Z')

for (const kind of ['30d', 'month'] as const)
  test(`after any actions, a subscription equals a naive model (${kind}, seed ${seed})`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), (steps) =>
        run(kind, steps),
      ),
      { seed, numRuns: times(150, 12) },
    ))

async function run(kind: Kind, steps: readonly Step[]): Promise<void> {
  const fixtures = {
    accounts: [{ id: 'acct_me', name: 'Me', email: 'me@example.com', plan: 'pro' }],
    keys: [{ secret: 'key_me', account: 'acct_me' }],
    subscriptions: [{ account: 'acct_me', period_start: '2025-12-31T09:00:00Z' }],
  }
  const { call, world } = open({
    fixtures,
    assumptions: { 'payments.period': kind, 'rate-limit.reported': 'minute' },
  })
  const ask = (method: string, body?: unknown) =>
    call(method, '/v1/subscription', { key: 'key_me', body })
  let model: Model = { plan: 'pro', anchor: begun }
  let kept: { model: Model; now: number; isFailing: boolean } | undefined
  let isFailing = false
  let passed = Date.parse(start)
  let asked = 0

  const pass = () => {
    const now = world.clock.now()
    for (
      let next = nextOf(kind, model, passed, isFailing);
      next <= now;
      next = nextOf(kind, model, passed, isFailing)
    ) {
      model = passTo(kind, model, next, isFailing)
      passed = next
    }
    passed = now
  }
  for (const step of steps) {
    const now = world.clock.now()
    switch (step.do) {
      case 'put':
        await ask('PUT', { plan: step.plan })
        if (model.plan !== step.plan || model.ending || model.unpaid)
          model = {
            plan: step.plan,
            anchor: model.plan === 'free' && step.plan !== 'free' ? now : model.anchor,
          }
        break
      case 'cancel': {
        const { status } = await ask('DELETE')
        expect(status).toBe(model.plan === 'free' ? 400 : 200)
        if (model.unpaid) model = ended(kind, model, now)
        else if (model.plan !== 'free')
          model.ending ??= { ...naivePeriod(kind, model.anchor, now), asked: now }
        break
      }
      case 'wait':
        world.clock.advance(step.ms)
        break
      case 'wait for the end':
        world.clock.set(
          (model.former ? now : (model.ending ?? naivePeriod(kind, model.anchor, now)).end) +
            step.offset,
        )
        break
      case 'fail':
        world.use('renewal-fails')
        isFailing = true
        break
      case 'mend':
        world.clear()
        isFailing = false
        break
      case 'snapshot':
        world.snapshot('kept')
        kept = { model: { ...model }, now, isFailing }
        break
      case 'restore':
        if (!kept) break
        world.restore('kept')
        model = { ...kept.model }
        ;({ isFailing, now: passed } = kept)
        break
      case 'reset':
        world.reset()
        world.clock.freeze()
        world.clock.set(start)
        model = { plan: 'pro', anchor: begun }
        kept = undefined
        isFailing = false
        passed = Date.parse(start)
    }
    // Room in the minute for what is asked next.
    asked += 2
    if (asked % 40 === 0) world.clock.advance('1m')
    pass()
    const { status, body, headers } = await ask('GET')
    expect(status).toBe(200)
    expect(body).toEqual(naiveReply(kind, model, world.clock.now()))
    expect(headers.get('x-ratelimit-limit')).toBe(minute[model.plan])
  }
}

/** When something happens to a subscription next, after a time. */
function nextOf(
  kind: Kind,
  { plan, anchor, ending, former, unpaid }: Model,
  after: number,
  isFailing: boolean,
): number {
  if (ending && !former) return ending.end
  if (unpaid) return unpaid.since + retries[unpaid.attempts - 1]!
  return isFailing && plan !== 'free' ? naivePeriod(kind, anchor, after).end : Infinity
}

function passTo(kind: Kind, model: Model, at: number, isFailing: boolean): Model {
  const { plan, anchor, ending, unpaid } = model
  if (ending) return { ...model, plan: 'free', former: plan }
  if (!unpaid) return { plan, anchor, unpaid: { since: at, attempts: 1 } }
  if (!isFailing) return { plan, anchor }
  return unpaid.attempts === retries.length
    ? ended(kind, model, at)
    : { plan, anchor, unpaid: { ...unpaid, attempts: unpaid.attempts + 1 } }
}

function ended(kind: Kind, { plan, anchor }: Model, at: number): Model {
  return {
    plan: 'free',
    anchor,
    former: plan,
    ending: { ...naivePeriod(kind, anchor, at), asked: at },
  }
}

function naiveReply(kind: Kind, { plan, anchor, ending, former, unpaid }: Model, now: number) {
  const period = ending ?? naivePeriod(kind, anchor, now)
  return {
    plan,
    status: former ? 'canceled' : unpaid ? 'past_due' : 'active',
    cancel_at_period_end: ending !== undefined && !former,
    period_start: new Date(period.start).toISOString(),
    period_end: new Date(period.end).toISOString(),
    canceled_at: ending ? new Date(ending.asked).toISOString() : null,
    former_plan: former ?? null,
  }
}

/** Period by period from the first one on. */
function naivePeriod(kind: Kind, anchor: number, now: number): { start: number; end: number } {
  let count = 0
  while (naiveStart(kind, anchor, count + 1) <= now) count++
  return { start: naiveStart(kind, anchor, count), end: naiveStart(kind, anchor, count + 1) }
}

function naiveStart(kind: Kind, anchor: number, count: number): number {
  if (kind === '30d') return anchor + count * 30 * day
  const date = new Date(anchor)
  const wanted = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(wanted, last))
  return date.getTime()
}
