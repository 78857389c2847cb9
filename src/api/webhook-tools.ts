import { givenOf } from '../core/contract/options.ts'
import { codedError } from '../core/text/error-codes.ts'
import { appEvents } from '../areas/apps/apps/events.ts'
import { apps } from '../areas/apps/apps/schemas.ts'
import { conversationEvents } from '../areas/apps/conversations/events.ts'
import { deploymentEvents } from '../areas/apps/deployments/events.ts'
import { paymentEvents } from '../areas/apps/payments/events.ts'
import { userEvents } from '../areas/apps/users/events.ts'
import {
  deliverTo,
  deliverToAll,
  newEventId,
  subscribersOf,
} from '../areas/apps/webhooks/delivery/deliver.ts'
import {
  sendAttempt,
  toWebhookRequest,
  type WebhookMessage,
} from '../areas/apps/webhooks/delivery/message.ts'
import { toPayload } from '../areas/apps/webhooks/delivery/payload.ts'
import { assumptionValue } from '../core/contract/assumptions.ts'
import { toWebhookTest, webhookEvents } from '../areas/apps/webhooks/events.ts'
import {
  grade,
  type Grade,
  type Observation,
  recordObservations,
} from '../areas/apps/webhooks/report/check-receiver.ts'
import { presentDelivery } from '../areas/apps/webhooks/present.ts'
import { type Webhook, webhooks } from '../areas/apps/webhooks/schemas.ts'
import type { EventSample, EventType } from '../areas/event-types.ts'
import { plantCreatedSample } from '../areas/plants/events.ts'
import { accounts, describeMissingAccount } from '../core/accounts/accounts.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { DeliveryReply } from './generated/wire-types.ts'
import { describeMissing } from '../catalogue/records.ts'
import type { TriggerOptions } from './names.ts'
import type { Fields } from '../core/text/values.ts'

/** @throws RangeError for an unknown webhook. */
export function gradeReceiver(world: LiveWorld, id: string): Grade {
  return grade(world, findStoredWebhook(world, id))
}

interface Triggered {
  readonly type: string
  readonly data: Fields | undefined
}

/** @throws RangeError for an unknown type, account or app. */
export function triggerEvent(
  world: LiveWorld,
  types: readonly string[],
  { type, data }: Triggered,
  options: TriggerOptions,
): DeliveryReply[] {
  if (!types.includes(type))
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      `Failed to trigger the event ${quote(type)}: ${describeProblem('there is no such event', type, types)} Expected one of ${types.join(', ')}.`,
    )
  world.catchUp()
  const { account, app } = findEventTarget(world, type, options)
  const known = samples[type as EventType] as EventSample | undefined
  const happened = data
    ? {
        app: app ?? known?.appOf(world, account) ?? null,
        data,
      }
    : known?.sample(world, account, app)
  if (!happened)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to trigger the event ${quote(type)}: pass its "data" (in a shell: --data). Only those of built-in events can be made up.`,
    )
  const event = {
    type,
    at: world.clock.now(),
    account,
    ...happened,
  }
  // Each webhook gets a test with its own id.
  const test = (webhook: Readonly<Webhook>) =>
    deliverTo(
      world,
      webhook,
      {
        ...event,
        data: toWebhookTest(webhook, event.at),
      },
      world.effectiveSettings,
    )
  const made =
    type === 'webhook.test' && !data
      ? subscribersOf(world, event).map(test)
      : deliverToAll(world, event)
  return made.map(presentDelivery) as DeliveryReply[]
}

/**
 * Whose event it is: the app's or account's that was named, otherwise that of the first webhook
 * which wants the event, otherwise the first account's.
 */
function findEventTarget(world: LiveWorld, type: string, options: TriggerOptions) {
  const app = findApp(world, options)
  const owner = app?.account ?? options.account
  const wants = ({ enabled, events, account }: Readonly<Webhook>) =>
    enabled &&
    (events as readonly string[]).includes(type) &&
    (owner === undefined || account === owner)
  const first = world.collection(webhooks).find(wants)[0]
  const account = owner ?? first?.account ?? world.collection(accounts).all()[0]?.id
  if (account === undefined) throw noTarget('the world has no accounts.')
  return {
    account,
    app: app?.id ?? first?.app ?? undefined,
  }
}

/** Returns the app that was named; it belongs to the account that was named. */
function findApp(world: LiveWorld, { account, app: id }: TriggerOptions) {
  const stored = world.collection(apps)
  const app = id === undefined ? undefined : stored.get(id)
  if (id !== undefined && !app) throw noTarget(describeMissing('app', id, stored))
  if (account === undefined) return app
  const missing = describeMissingAccount(world, account)
  if (missing !== undefined) throw noTarget(missing)
  if (app && app.account !== account)
    throw noTarget(`the app "${id}" does not belong to the account "${account}".`)
  return app
}

function noTarget(problem: string): Error {
  return codedError('GREENHOUSE_UNKNOWN_NAME', `Failed to trigger the event: ${problem}`)
}

const samples: Readonly<Record<EventType, EventSample>> = {
  'plant.created': plantCreatedSample,
  ...appEvents,
  ...userEvents,
  ...conversationEvents,
  ...deploymentEvents,
  ...paymentEvents,
  ...webhookEvents,
}

const staleBy = 3_600_000

/**
 * Sends probes and records the answers. They are no deliveries: they are not logged or retried, and
 * disable nothing.
 */
export async function examineReceiver(world: LiveWorld, id: string): Promise<Grade> {
  const webhook = findStoredWebhook(world, id)
  const { epoch } = world.state
  const at = world.clock.now()
  const data = toWebhookTest(webhook, at, 'This is an examination.')
  const payload = toPayload({
    type: 'webhook.test',
    at,
    data,
  })
  const twice = newEventId(world)
  const probes: {
    id: string
    fault?: WebhookMessage['fault']
  }[] = [
    { id: twice },
    { id: twice },
    {
      id: newEventId(world),
      fault: {
        kind: 'stale-timestamp',
        by: staleBy,
      },
    },
  ]
  if (assumptionValue(world.effectiveSettings, 'webhooks.signature') !== 'none')
    probes.push({
      id: newEventId(world),
      fault: {
        kind: 'bad-signature',
        by: 0,
      },
    })
  const seen: Observation[] = []
  for (const probe of probes) {
    const message = {
      ...probe,
      payload,
      due: at,
    }
    const { outcome } = await sendAttempt(
      world,
      () => toWebhookRequest(world, webhook, message),
      {},
    )
    seen.push(
      givenOf({
        event: probe.id,
        at,
        ...outcome,
        fault: probe.fault?.kind,
      }),
    )
  }
  if (world.state.epoch === epoch) recordObservations(world, id, seen)
  return gradeReceiver(world, id)
}

function findStoredWebhook(world: LiveWorld, id: string) {
  const stored = world.collection(webhooks)
  const webhook = stored.get(id)
  if (webhook) return webhook
  throw codedError(
    'GREENHOUSE_UNKNOWN_NAME',
    `Failed to grade a receiver: ${describeMissing('webhook', id, stored)}`,
  )
}
