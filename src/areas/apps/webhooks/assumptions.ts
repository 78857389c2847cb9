import {
  assumptionValue,
  convention,
  type Assumptions,
  ours,
} from '../../../core/contract/assumptions.ts'
import type { AssumptionValues } from '../../../core/contract/generated/assumption-values.ts'
import { toMilliseconds } from '../../../core/time/time-text.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'

export const webhookAssumptions: Assumptions = {
  'webhooks.signature': convention(
    'How deliveries are signed: with the headers of Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature v1), or without webhook-signature',
    ['standard-webhooks', 'none'],
  ),
  'webhooks.timestamp': ours(
    "The time in webhook-timestamp: the world's time when the request is sent, the world's time when it was due, or the machine's time",
    ['sent', 'due', 'real'],
  ),
  'webhooks.retries': convention(
    'When a delivery that failed is tried again, each delay counted from the attempt before: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; 0, 1 s, 2 s; or never',
    ['standard', 'fast', 'none'],
  ),
  'webhooks.timeout': ours('How long a receiver has to answer, in real time', [
    '15s',
    '1s',
    '5s',
    '30s',
  ]),
  'webhooks.rotation-overlap': ours('How long a former secret still signs after a rotation', [
    '24h',
    '1h',
    'none',
  ]),
  'webhooks.gone': convention(
    'What happens when a receiver answers 410: the webhook is disabled, or the delivery is tried again as after any failure',
    ['disable', 'retry'],
  ),
}

/**
 * The delays before each attempt, the first one included, in milliseconds; those of Standard
 * Webhooks by default.
 */
const schedules: Record<AssumptionValues['webhooks.retries'], readonly number[]> = {
  standard: ['0s', '5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'].map(toMilliseconds),
  fast: ['0s', '1s', '2s'].map(toMilliseconds),
  none: [0],
}

/**
 * The values of `webhooks.timeout` and `webhooks.rotation-overlap` in milliseconds: each attempt
 * reads one, so they are not parsed.
 */
const timeouts = {
  '1s': 1_000,
  '5s': 5_000,
  '15s': 15_000,
  '30s': 30_000,
}
const overlaps = {
  none: 0,
  '1h': 3_600_000,
  '24h': 86_400_000,
}

export function delayAfter(world: LiveWorld, tries: number): number | undefined {
  return schedules[assumptionValue(world.effectiveSettings, 'webhooks.retries')][tries]
}

export function timeoutOf(world: LiveWorld): number {
  return timeouts[assumptionValue(world.effectiveSettings, 'webhooks.timeout')]
}

export function overlapOf(world: LiveWorld): number {
  return overlaps[assumptionValue(world.effectiveSettings, 'webhooks.rotation-overlap')]
}
