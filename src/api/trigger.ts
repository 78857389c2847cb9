import { apps } from '../areas/apps/apps/schemas.ts'
import { deliverTo, deliverToAll, subscribersOf } from '../areas/apps/webhooks/delivery/deliver.ts'
import { presentDelivery } from '../areas/apps/webhooks/present.ts'
import { type Delivery, webhooks } from '../areas/apps/webhooks/schemas.ts'
import { toWebhookTest } from '../areas/apps/webhooks/events.ts'
import type { EventSample, EventType } from '../areas/event-types.ts'
import { accounts, missingAccount } from '../core/accounts/accounts.ts'
import type { CoreWorld, WorldEvent } from '../core/world/world.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { describeMissing } from './records.ts'

/** The account and the app that an event belongs to. */
export interface TriggerOptions {
  /** The account's id. By default the app's account, or the account of the first webhook that subscribes to the event. */
  readonly account?: string | undefined
  /** The app's id. */
  readonly app?: string | undefined
}

/** @param samples those of the built-in events. @throws RangeError for an unknown type, account or app. */
export function trigger(
  world: CoreWorld,
  types: readonly string[],
  samples: Readonly<Record<EventType, EventSample>>,
  type: string,
  data: Readonly<Record<string, unknown>> | undefined,
  options: TriggerOptions,
): ReturnType<typeof presentDelivery>[] {
  if (!types.includes(type))
    throw new RangeError(
      `Failed to trigger the event ${quote(type)}: ${describeProblem('such event', type, types)} Expected one of ${types.join(', ')}.`,
    )
  world.catchUp()
  const { account, app } = findTarget(world, type, options)
  const known = samples[type as EventType] as EventSample | undefined
  if (!known && !data)
    throw new RangeError(
      `Failed to trigger the event ${quote(type)}: pass its "data" (in a shell: --data). Only those of built-in events can be made up.`,
    )
  const happened = data
    ? { app: app ?? known?.appOf(world, account) ?? null, data }
    : known!.sample(world, account, app)
  const event = { type, at: world.clock.now(), account, ...happened }
  const made = type === 'webhook.test' && !data ? testAll(world, event) : deliverToAll(world, event)
  return made.map(presentDelivery)
}

/** Sends `webhook.test` to each webhook, with its own id. */
function testAll(world: CoreWorld, event: WorldEvent): Readonly<Delivery>[] {
  return subscribersOf(world, event).map((webhook) =>
    deliverTo(world, webhook, { ...event, data: toWebhookTest(webhook, event.at) }, world.effectiveSettings),
  )
}

function findTarget(
  world: CoreWorld,
  type: string,
  { account, app }: TriggerOptions,
): { account: string; app: string | undefined } {
  const stored = world.collection(apps)
  const known = app === undefined ? undefined : stored.get(app)
  if (app !== undefined && !known)
    throw new RangeError(`Failed to trigger the event: ${describeMissing('app', app, stored)}`)
  const missing = account === undefined ? undefined : missingAccount(world, account)
  if (missing !== undefined) throw new RangeError(`Failed to trigger the event: ${missing}`)
  if (known && account !== undefined && known.account !== account)
    throw new RangeError(`Failed to trigger the event: the app "${app}" does not belong to the account "${account}".`)
  const first = world
    .collection(webhooks)
    .find(
      (webhook) =>
        webhook.enabled &&
        (webhook.events as readonly string[]).includes(type) &&
        (account === undefined || webhook.account === account) &&
        (known === undefined || webhook.account === known.account),
    )[0]
  const accountId = known?.account ?? account ?? first?.account ?? world.collection(accounts).all()[0]?.id
  if (accountId === undefined) throw new RangeError('Failed to trigger the event: the world has no accounts.')
  return { account: accountId, app: known?.id ?? first?.app ?? undefined }
}
