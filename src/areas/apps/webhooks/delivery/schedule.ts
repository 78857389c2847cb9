import { toMilliseconds } from '../../../../core/time/clock.ts'
import type { World } from '../../../../core/world/world.ts'
import type { webhookAssumptions } from '../assumptions.ts'

type Assumptions = typeof webhookAssumptions

/** The value of an assumption where no request asks. */
export function assumed<Id extends keyof Assumptions>(world: World, id: Id): Assumptions[Id]['values'][number] {
  return world.overlay.assumptions.get(id) as Assumptions[Id]['values'][number]
}

/** The delays before each attempt, the first one included; those of Standard Webhooks by default. */
const schedules: Record<Assumptions['webhooks.retries']['values'][number], readonly string[]> = {
  standard: ['0s', '5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
  fast: ['0s', '1s', '2s'],
  none: ['0s'],
}

/** How long after a failed attempt, the `tries`-th of its schedule, the next one is due, in milliseconds; `undefined` after the last. */
export function delayAfter(world: World, tries: number): number | undefined {
  const delay = schedules[assumed(world, 'webhooks.retries')][tries]
  return delay === undefined ? undefined : toMilliseconds(delay)
}

/** How long a receiver has to answer, in milliseconds of real time. */
export function timeoutOf(world: World): number {
  return toMilliseconds(assumed(world, 'webhooks.timeout'))
}

/** How long a former secret signs too, in milliseconds. */
export function overlapOf(world: World): number {
  const overlap = assumed(world, 'webhooks.rotation-overlap')
  return overlap === 'none' ? 0 : toMilliseconds(overlap)
}
