import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { times } from '../support/soak.ts'
import { start } from '../support/test-api.ts'

/** The limits of one plan, as the reference states them. */
interface PlanLimits {
  minute: number
  day: number
}

interface Expected {
  status: number
  remaining: Record<'minute' | 'day', number>
  resetAt: Record<'minute' | 'day', number>
}

type Mode = 'calendar' | 'first-request' | 'sliding'

const lengths = { minute: 60_000, day: 86_400_000 }
const windows = ['minute', 'day'] as const

/** The definition of a window: how many requests it counts at a time, and when it resets. */
type Definition = (
  counted: number[],
  length: number,
  at: number,
  limit: number,
) => { count: number; resetAt: number }

const definitions: Record<Mode, Definition> = {
  calendar(counted, length, at) {
    const period = Math.floor(at / length)
    return {
      count: counted.filter((time) => Math.floor(time / length) === period).length,
      resetAt: (period + 1) * length,
    }
  },
  'first-request'(counted, length, at) {
    let first: number | undefined
    let count = 0
    for (const time of counted) {
      if (first === undefined || time - first >= length) [first, count] = [time, 0]
      count++
    }
    return first === undefined || at - first >= length
      ? { count: 0, resetAt: at + length }
      : { count, resetAt: first + length }
  },
  sliding(counted, length, at, limit) {
    const inside = counted.filter((time) => at - time < length)
    const leaving = inside.length <= limit ? inside[0] : inside.at(-limit)
    return { count: inside.length, resetAt: (leaving ?? at) + length }
  },
}

/** A limiter that remembers every counted request, and computes everything again each time. */
class NaiveLimiter {
  readonly #definition: Definition
  readonly #countsRejected: boolean
  readonly #counted = new Map<string, number[]>()
  #latest = -Infinity

  constructor(mode: Mode, countsRejected: boolean) {
    this.#definition = definitions[mode]
    this.#countsRejected = countsRejected
  }

  request(budget: string, limits: PlanLimits, now: number): Expected {
    const at = this.#observe(now)
    const counted = this.#of(budget)
    const allowed = windows.every(
      (window) =>
        this.#definition(counted, lengths[window], at, limits[window]).count < limits[window],
    )
    if (allowed || this.#countsRejected) counted.push(at)
    return this.#describe(allowed ? 200 : 429, counted, limits, at)
  }

  look(budget: string, limits: PlanLimits, now: number): Expected {
    return this.#describe(404, this.#of(budget), limits, this.#observe(now))
  }

  /** A time that has been seen is never unseen. */
  #observe(now: number): number {
    return (this.#latest = Math.max(this.#latest, now))
  }

  #of(budget: string): number[] {
    if (!this.#counted.has(budget)) this.#counted.set(budget, [])
    return this.#counted.get(budget)!
  }

  #describe(status: number, counted: number[], limits: PlanLimits, at: number): Expected {
    const [minute, day] = windows.map((window) =>
      this.#definition(counted, lengths[window], at, limits[window]),
    )
    return {
      status,
      remaining: {
        minute: Math.max(0, limits.minute - minute!.count),
        day: Math.max(0, limits.day - day!.count),
      },
      resetAt: { minute: minute!.resetAt, day: day!.resetAt },
    }
  }
}

const plans = {
  free: { minute: 60, day: 1_000 },
  lite: { minute: 120, day: 5_000 },
  pro: { minute: 300, day: 25_000 },
  pro_plus: { minute: 600, day: 100_000 },
} satisfies Record<string, PlanLimits>

const accountOf = { key_free: 'acct_free', key_free_second: 'acct_free', key_lite: 'acct_lite' }

type Plan = keyof typeof plans
type Key = keyof typeof accountOf
type WindowName = 'minute' | 'day'

interface Setting {
  scope: 'account' | 'key'
  rejected: 'free' | 'counted'
  /** The minutes of 300 requests that `key_free` spent on another plan. */
  spent: number
}

type Step =
  | { do: 'request'; key: Key; count: number; reported: WindowName }
  | { do: 'look'; key: Key; reported: WindowName }
  | { do: 'wait'; ms: number }
  | { do: 'wait for the end'; key: Key; window: WindowName; offset: number }
  | { do: 'go back'; ms: number }
  | { do: 'change plan'; account: string; plan: Plan }
  | { do: 'reset' }

const key = fc.constantFrom<Key>('key_free', 'key_free', 'key_free_second', 'key_lite')
const reported = fc.constantFrom<WindowName>('minute', 'day')
const length = fc.oneof(
  fc.integer({ min: 1, max: 90_000 }),
  fc.constantFrom(1, 999, 1_000, 59_999, 60_000, 60_001, 3_600_000, 86_399_999, 86_400_000),
)
const count = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 55, max: 65 }) },
  { weight: 1, arbitrary: fc.integer({ min: 110, max: 330 }) },
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ do: fc.constant('request' as const), key, count, reported }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const), key, reported }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: length }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait for the end' as const),
      key,
      window: fc.constantFrom<WindowName>('minute', 'minute', 'minute', 'day'),
      offset: fc.constantFrom(-1, 0, 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('go back' as const), ms: length }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change plan' as const),
      account: fc.constantFrom('acct_free', 'acct_free', 'acct_lite'),
      plan: fc.constantFrom<Plan>('free', 'free', 'lite', 'pro'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
)

const setting: fc.Arbitrary<Setting> = fc.record({
  scope: fc.constantFrom('account', 'key'),
  rejected: fc.constantFrom('free', 'counted'),
  spent: fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(3, 5) },
  ),
})

for (const mode of ['calendar', 'first-request', 'sliding'] as const)
  test(`the limiter answers as a naive one does, whatever happens to it (${mode})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        setting,
        fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
        (setting, steps) => run(mode, setting, [...manyRequests(setting.spent), ...steps]),
      ),
      { seed: 20_260_301, numRuns: times(75, 6) },
    )
  })

/** Steps that bring a Free day within reach of its end. */
function manyRequests(minutes: number): Step[] {
  if (minutes === 0) return []
  const half: Step[] = [
    { do: 'request', key: 'key_free', count: 150, reported: 'minute' },
    { do: 'wait', ms: 30_000 },
  ]
  return [
    { do: 'change plan', account: 'acct_free', plan: 'pro' },
    ...Array.from({ length: 2 * minutes }, () => half).flat(),
    { do: 'change plan', account: 'acct_free', plan: 'free' },
  ]
}

/** Does the steps to a Greenhouse and to a naive limiter, and compares every reply. */
async function run(mode: Mode, { scope, rejected }: Setting, steps: Step[]): Promise<void> {
  const greenhouse = createGreenhouse({
    assumptions: {
      'rate-limit.window': mode,
      'rate-limit.scope': scope,
      'rate-limit.rejected': rejected,
      'rate-limit.reset-unit': 'epoch-milliseconds',
    },
  })
  const world = greenhouse.world()
  let naive!: NaiveLimiter
  let planOf!: Record<string, Plan>
  const begin = async () => {
    world.clock.freeze()
    world.clock.set(start)
    await world.records.keys.create({
      secret: 'key_free_second',
      account: 'acct_free',
      scopes: ['apps:read'],
    })
    naive = new NaiveLimiter(mode, rejected === 'counted')
    planOf = { acct_free: 'free', acct_lite: 'lite' }
  }
  const budgetOf = (key: Key) => (scope === 'key' ? key : accountOf[key])
  const limitsOf = (key: Key) => plans[planOf[accountOf[key]]!]
  const look = (key: Key) => naive.look(budgetOf(key), limitsOf(key), world.clock.now())

  const check = async (
    path: string,
    { key, reported }: { key: Key; reported: WindowName },
    foresee: () => Expected,
  ) => {
    world.assume('rate-limit.reported', reported)
    const expected = foresee()
    compare(await send(greenhouse, path, key), expected, limitsOf(key), reported, world.clock.now())
  }

  await begin()
  for (const step of steps)
    switch (step.do) {
      case 'request':
        for (let sent = 0; sent < step.count; sent++)
          await check('/v1/apps?limit=1', step, () =>
            naive.request(budgetOf(step.key), limitsOf(step.key), world.clock.now()),
          )
        break
      case 'look':
        await check('/v1/unknown', step, () => look(step.key))
        break
      case 'wait':
        world.clock.advance(step.ms)
        break
      case 'wait for the end': {
        // Both see the time that the end is worked out at.
        await send(greenhouse, '/v1/unknown', step.key)
        world.clock.set(look(step.key).resetAt[step.window] + step.offset)
        break
      }
      case 'go back':
        world.clock.advance(-step.ms)
        break
      case 'change plan':
        await world.records.accounts.update(step.account, { plan: step.plan })
        planOf[step.account] = step.plan
        break
      case 'reset':
        world.reset()
        await begin()
    }
}

function send(greenhouse: Greenhouse, path: string, key: Key): Promise<Response> {
  return greenhouse.fetch(
    new Request(`http://greenhouse.test${path}`, { headers: { authorization: `Bearer ${key}` } }),
  )
}

function compare(
  { status, headers }: Response,
  expected: Expected,
  limits: PlanLimits,
  reported: WindowName,
  now: number,
): void {
  const full = (['minute', 'day'] as const).filter((window) => expected.remaining[window] === 0)
  const room = Math.max(...full.map((window) => expected.resetAt[window]))
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after']
  const seen = [status, ...names.map((name) => headers.get(name))]
  const wanted = [
    expected.status,
    String(limits[reported]),
    String(expected.remaining[reported]),
    String(expected.resetAt[reported]),
    expected.status === 429 ? String(Math.max(1, Math.ceil((room - now) / 1_000))) : null,
  ]
  // An expectation a reply would take longer than the replies.
  if (seen.some((value, index) => value !== wanted[index])) expect(seen).toEqual(wanted)
}
