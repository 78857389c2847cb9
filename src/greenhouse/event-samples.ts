import { appSamples, makeUpApp } from '../areas/apps/apps/events.ts'
import { apps, type App } from '../areas/apps/apps/schemas.ts'
import { conversationSamples } from '../areas/apps/conversations/events.ts'
import { deploymentSamples } from '../areas/apps/deployments/events.ts'
import type { AccountEventSample, AppEventSample, EventData } from '../areas/apps/event-sample.ts'
import { purchaseSample, sampleSubscriptionCanceled, sampleSubscriptionUpdated } from '../areas/apps/payments/events.ts'
import { userSamples } from '../areas/apps/users/events.ts'
import { sampleWebhookTest } from '../areas/apps/webhooks/events.ts'
import { samplePlantCreated } from '../areas/plants/events.ts'
import type { EventType } from '../core/definitions/events.ts'
import type { World } from '../core/world/world.ts'

const ofApps = { ...appSamples, ...userSamples, ...conversationSamples, ...deploymentSamples } satisfies Partial<
  Record<EventType, AppEventSample>
>

const ofAccounts: Readonly<Record<Exclude<EventType, keyof typeof ofApps>, AccountEventSample>> = {
  'plant.created': samplePlantCreated,
  'subscription.updated': sampleSubscriptionUpdated,
  'subscription.canceled': sampleSubscriptionCanceled,
  'credits.purchased': purchaseSample('succeeded'),
  'payment.failed': purchaseSample('failed'),
  'webhook.test': sampleWebhookTest,
}

/** What an event that was triggered tells, and the app that it happens to, if it is one. */
export interface SampledEvent {
  readonly app: string | null
  readonly data: EventData
}

/**
 * Data for an event that was triggered without: what the real one would tell of the newest record that it could be about, or of
 * one that is made up where there is none. Without an app it is of the newest one that has such a record.
 */
export function sampleEvent(
  world: World,
  type: EventType,
  account: string,
  app: Readonly<App> | undefined,
): SampledEvent {
  if (!isOfApp(type)) return { app: app?.id ?? null, data: ofAccounts[type](world, account) }
  const sample: AppEventSample = ofApps[type]
  const own = app
    ? [app]
    : world
        .collection(apps)
        .ownedBy(account)
        .newest(Infinity)
        .map(({ record }) => record)
  for (const one of own) {
    const data = sample.ofNewest(world, one)
    if (data) return { app: one.id, data }
  }
  const stand = own[0] ?? makeUpApp(world, account)
  return { app: own[0]?.id ?? null, data: sample.ofMadeUp(world, stand) }
}

/** The app that an event with data of its own is about, unless it is named: the newest of the account. */
export function sampleApp(world: World, type: EventType, account: string): string | null {
  return isOfApp(type) ? (world.collection(apps).ownedBy(account).newest(1)[0]?.record.id ?? null) : null
}

function isOfApp(type: EventType): type is keyof typeof ofApps {
  return Object.hasOwn(ofApps, type)
}
