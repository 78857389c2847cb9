import { toMilliseconds } from '../../../../core/time/time-text.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import type { webhookAssumptions } from '../assumptions.ts'

type Assumptions = typeof webhookAssumptions

export function assumed<Id extends keyof Assumptions>(world: CoreWorld, id: Id): Assumptions[Id]['values'][number] {
  return world.effectiveSettings.assumptions.get(id) as Assumptions[Id]['values'][number]
}

/** The delays before each attempt, the first one included, in milliseconds; those of Standard Webhooks by default. */
const schedules: Record<Assumptions['webhooks.retries']['values'][number], readonly number[]> = {
  standard: ['0s', '5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'].map(toMilliseconds),
  fast: ['0s', '1s', '2s'].map(toMilliseconds),
  none: [0],
}

/** The values of `webhooks.timeout` and `webhooks.rotation-overlap` in milliseconds: each attempt reads one, so they are not parsed. */
const timeouts = { '1s': 1_000, '5s': 5_000, '15s': 15_000, '30s': 30_000 }
const overlaps = { none: 0, '1h': 3_600_000, '24h': 86_400_000 }

export function delayAfter(world: CoreWorld, tries: number): number | undefined {
  return schedules[assumed(world, 'webhooks.retries')][tries]
}

/** Returns the timeout of a receiver, in milliseconds of real time. */
export function timeoutOf(world: CoreWorld): number {
  return timeouts[assumed(world, 'webhooks.timeout')]
}

export function overlapOf(world: CoreWorld): number {
  return overlaps[assumed(world, 'webhooks.rotation-overlap')]
}
