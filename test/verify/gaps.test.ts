import { expect, test } from 'vitest'
import type { AssumptionChoices } from 'greenhouse-mock'
import { soaks } from '../support/soak.ts'
import { assumptions, isRule, verifyGreenhouse } from './against.ts'

/**
 * Looking for the default limit makes a hundred plants, which takes half of the time: unless the tests run at full size that
 * is done where it matters.
 */
const isCostly = (id: string) => id === 'plants.list.limit-default' && !soaks

/** The other gaps are looked into where the tests run at full size. */
const isNear = (id: string, name: string) =>
  soaks || name === 'the defaults' || id.split('.')[0] === name.split('.')[0] || hiddenBy[name] === id

/** Values that no client can tell apart. The reasons are in `src/contract/verify/verify.ts` or in the gap itself. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  'http.date': ['world', 'machine'],
  'rate-limit.rejected': ['free', 'counted'],
  'rate-limit.reported': ['tightest', 'minute'],
  'webhooks.timestamp': ['sent', 'due', 'real'],
  'payments.renewal-retries': ['standard', 'none'],
  'payments.unpaid': ['cancel', 'past_due'],
  'webhooks.rotation-overlap': ['24h', '1h'],
  'deployments.dns': ['pending', 'after-1h'],
  'payments.settle': ['1h'],
}

const hiddenBy: Readonly<Record<string, string>> = {
  'deployments.dns=pending': 'deployments.certificate',
  'deployments.dns=after-1h': 'deployments.certificate',
}

/** The values that are not what the reference states. */
const breaks: Readonly<Record<string, readonly string[]>> = {
  'rate-limit.unauthenticated=absent': ['apps.headers.limit', 'apps.headers.remaining', 'apps.headers.reset'],
}

const variants: [name: string, choice: Readonly<Record<string, string>>][] = [
  ['the defaults', {}],
  ...assumptions.flatMap(({ id, values }) =>
    values.slice(1).map((value): [string, Record<string, string>] => [`${id}=${value}`, { [id]: value }]),
  ),
]

/** Unless the tests run at full size, of the alternatives one in four, the defaults among them. */
const tried = variants.filter((_, index) => soaks || index % 4 === 0)

for (const [name, choice] of tried)
  test(`all rules are kept and every gap is recognised under ${name}`, async () => {
    const needsLimit = name === 'the defaults' || name.startsWith('rate-limit.')
    const skipsCostly = name !== 'the defaults' && !name.startsWith('plants.list.')
    const rate = needsLimit ? {} : { rate: Infinity }
    const only = (id: string) =>
      (isRule(id) || isNear(id, name)) && id !== 'webhooks.timeout' && !(skipsCostly && isCostly(id))
    const { report } = await verifyGreenhouse(
      { rateLimit: needsLimit, slow: true, ...rate, only },
      choice as AssumptionChoices,
    )
    expect(report.rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).toEqual(breaks[name] ?? [])
    expect(report.rules.length).toBeGreaterThan(50)
    expect(report.left).toEqual([])
    const seen = new Map(report.probes.map((gap) => [gap.id, gap]))
    const wrong = assumptions.flatMap(({ id, values }) => {
      const set = choice[id] ?? values[0]!
      const found = seen.get(id)
      // That takes its time, and has a test of its own.
      if (!isNear(id, name) || id === 'webhooks.timeout' || (skipsCostly && isCostly(id))) return []
      if (!needsLimit && ['rate-limit.window', 'rate-limit.retry-after'].includes(id)) return []
      if (hidden[id]?.includes(set) || hiddenBy[name] === id)
        return found?.outcome === 'unseen' ? [] : [{ id, set, found }]
      return found?.outcome === 'value' && found.value === set ? [] : [{ id, set, found }]
    })
    expect(wrong).toEqual([])
  })

for (const timeout of soaks ? (['15s', '1s', '5s', '30s'] as const) : (['1s'] as const))
  test(`a receiver that does not answer shows that deliveries wait ${timeout}`, async () => {
    const only = (id: string) => id === 'webhooks.timeout'
    const { report } = await verifyGreenhouse({ only, slow: true }, { 'webhooks.timeout': timeout })
    expect(report.probes).toMatchObject([{ id: 'webhooks.timeout', outcome: 'value', value: timeout }])
  })
