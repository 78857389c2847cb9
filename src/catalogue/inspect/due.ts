import type { Refill } from '../../core/accounts/rate-limit.ts'
import type { WindowKind } from '../../core/accounts/windows.ts'
import { assumptionValue } from '../../core/contract/assumptions.ts'
import type { Effect } from '../../core/pipeline/effect.ts'
import { nameKey } from '../../core/accounts/accounts.ts'
import { toFingerprint } from '../../core/secrets/known-secrets.ts'
import type { DueWork } from '../../core/time/clock.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'

const maxExamined = 20_000

export function dueOf(world: LiveWorld): DueWork[] {
  const seen = new Set<string>()
  // A rescheduled task is in the queue twice, but runs once.
  const isNew = ({ at, title, subject }: DueWork) =>
    seen.size < seen.add(`${at} ${subject?.id} ${title}`).size
  return [
    ...world.upcoming(),
    ...quotaRefills(world),
    ...world.clock.due(maxExamined).filter(isNew),
  ].sort((one, other) => one.at - other.at)
}

function quotaRefills(world: LiveWorld): DueWork[] {
  const kind = assumptionValue(world.effectiveSettings, 'rate-limit.window')
  const now = world.clock.now()
  const own = world.state.limiter.refills(kind, now)
  const effects = world.effectiveSettings.effects as readonly Effect[]
  const known = new Set(own.map(toIdentity))
  return [
    ...own.map((refill) => toDueWork(world, kind, refill)),
    ...effects.flatMap(({ scenario, quota }) =>
      (quota?.refills(kind, now) ?? [])
        // A scenario sets one window. Its other window is a copy of the world's, or of the previous
        // scenario's.
        .filter((refill) => known.size < known.add(toIdentity(refill)).size)
        .map((refill) => toDueWork(world, kind, refill, scenario)),
    ),
  ]
}

function toIdentity({ budgetId, window, at }: Refill): string {
  return `${window} ${at} ${budgetId}`
}

function toDueWork(
  world: LiveWorld,
  kind: WindowKind,
  { budgetId, window, at }: Refill,
  scenario?: string,
): DueWork {
  const isKey = budgetId.startsWith('key:')
  const id = isKey ? toFingerprint(budgetId.slice(4)) : budgetId
  const whose = isKey ? nameKey(world, budgetId.slice(4)) : budgetId
  const by = scenario === undefined ? '' : ` under ${scenario}`
  const what = kind === 'sliding' ? 'has room again' : 'refills'
  return {
    at,
    kind: 'quota',
    title: `The ${window} quota of ${whose}${by} ${what}`,
    subject: {
      collection: isKey ? 'keys' : 'accounts',
      id,
    },
  }
}
