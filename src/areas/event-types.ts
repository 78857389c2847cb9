import type { LiveWorld } from '../core/world/live-world.ts'
import type { Fields } from '../core/text/values.ts'

/**
 * The events that webhooks can subscribe to (ours; the reference leaves the kinds of events open).
 */
export const eventTypes = [
  'plant.created',
  'app.created',
  'app.updated',
  'app.deleted',
  'user.signed_up',
  'message.sent',
  'condition.met',
  'conversation.ended',
  'deployment.live',
  'deployment.failed',
  'subscription.updated',
  'subscription.canceled',
  'credits.purchased',
  'payment.failed',
  'webhook.test',
] as const

/** The type of an event that webhooks can subscribe to. */
export type EventType = (typeof eventTypes)[number]

export type SampleData = Fields

interface SampledEvent {
  readonly app: string | null
  readonly data: SampleData
}

export interface EventSample {
  sample(world: LiveWorld, account: string, app: string | undefined): SampledEvent
  appOf(world: LiveWorld, account: string): string | undefined
}

export function sampleOfAccount(
  toData: (world: LiveWorld, account: string) => SampleData,
): EventSample {
  return {
    sample: (world, account, app) => ({
      app: app ?? null,
      data: toData(world, account),
    }),
    appOf: () => undefined,
  }
}

export const areaNames = ['plants', 'apps'] as const

/** The name of a built-in area. */
export type AreaName = (typeof areaNames)[number]
