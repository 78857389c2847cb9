import { countOf } from '../../../../core/text/messages.ts'
import { newId } from '../../../../core/time/random.ts'
import type { DeliveryFault, EffectiveSettings } from '../../../../core/world/effective-settings.ts'
import type { LiveWorld, WorldEventListener } from '../../../../core/world/live-world.ts'
import type { WorldEvent } from '../../../../core/world/world-event.ts'
import type { EventType } from '../../../event-types.ts'
import { deliveries, type Delivery, type Webhook, webhooks } from '../schemas.ts'
import { cancelAttempt, heldBackOf, planAttempt } from './engine.ts'
import { toPayload } from './payload.ts'
import { cached } from '../../../../core/contract/cache.ts'

/** The most deliveries in a webhook's log; beyond it, the oldest are deleted, even pending ones. */
const maxDeliveries = 1_000

/** Schedules the deliveries of an event to the webhooks that subscribe to it. */
export const deliverEvent: WorldEventListener = (world, event, effectiveSettings) => {
  const subscribers = subscribersOf(world, event)
  if (subscribers.length === 0) return
  // The payload and the faults are settled now: what changes later does not change the event.
  const prepared = prepareDelivery(world, event)
  const planned = subscribers.map(({ id }) => ({
    id,
    faults: faultsOf(effectiveSettings, event.type),
  }))
  world.schedule(
    prepared.at,
    () => {
      for (const { id, faults } of planned) {
        const webhook = world.collection(webhooks).get(id)
        if (webhook) insertDelivery(world, webhook, prepared, faults)
      }
    },
    (at) => [
      {
        at,
        kind: 'event',
        title: `${event.type} goes to ${countOf(planned.length, 'webhook')}`,
      },
    ],
  )
}

/**
 * Delivers an event to its subscribers immediately; call it only while no work is due. Returns the
 * deliveries.
 */
export function deliverToAll(world: LiveWorld, event: WorldEvent): Readonly<Delivery>[] {
  const subscribers = subscribersOf(world, event)
  const prepared = prepareDelivery(world, event)
  return subscribers.flatMap((webhook) =>
    insertDelivery(world, webhook, prepared, faultsOf(world.effectiveSettings, event.type)),
  )
}

/**
 * Delivers an event to one webhook immediately, even if it is not subscribed; call it only while no
 * work is due. Returns the delivery.
 */
export function deliverTo(
  world: LiveWorld,
  webhook: Readonly<Webhook>,
  event: WorldEvent,
  effectiveSettings: EffectiveSettings,
): Readonly<Delivery> {
  const [delivery] = insertDelivery(
    world,
    webhook,
    prepareDelivery(world, event),
    faultsOf(effectiveSettings, event.type),
  )
  return delivery
}

/** The parts that all deliveries of an event have in common. */
interface PreparedDelivery {
  readonly id: string
  readonly type: EventType
  readonly at: number
  readonly payload: string
}

type Inserted = [Readonly<Delivery>, ...Readonly<Delivery>[]]

function prepareDelivery(world: LiveWorld, event: WorldEvent): PreparedDelivery {
  // The clock may have been moved back since the event.
  const at = Math.min(event.at, world.clock.now())
  return {
    id: newEventId(world),
    type: event.type as EventType,
    at,
    payload: toPayload(event),
  }
}

function faultsOf({ effects }: EffectiveSettings, type: string): DeliveryFault[] {
  return effects.flatMap((effect) => effect.deliver?.(type) ?? [])
}

/** Creates the deliveries of an event to a webhook: several if a fault duplicates it. */
function insertDelivery(
  world: LiveWorld,
  webhook: Readonly<Webhook>,
  event: PreparedDelivery,
  planned: readonly DeliveryFault[],
): Inserted {
  // A delivery that releases one that is held back is not held back itself.
  const heldBack = heldBackOf(world)
  const isReleasing = heldBack.isHolding(webhook.id)
  const faults = planned.filter(({ kind }) => kind !== 'out-of-order' || !isReleasing)
  const isLost = faults.some(({ kind }) => kind === 'lost')
  const delays = faults.filter(({ kind }) => kind === 'late' || kind === 'out-of-order')
  const late = delays.reduce((sum, { by }) => sum + by, 0)
  // A lost delivery is in the log, and is never sent.
  const delivery = insertOne(world, webhook, event, {
    faults,
    at: isLost ? null : event.at + late,
  })
  if (isLost) return [delivery]
  if (faults.some(({ kind }) => kind === 'out-of-order')) heldBack.add(delivery)
  // A duplicate is a delivery with an attempt and a time like any other.
  const inserted: Inserted = [delivery]
  for (const { kind, by } of faults)
    if (kind === 'duplicate')
      inserted.push(
        insertOne(world, webhook, event, {
          faults: [{ kind, by }],
          at: event.at + late + by,
        }),
      )
  return inserted
}

function insertOne(
  world: LiveWorld,
  { id: webhook, account }: Readonly<Webhook>,
  { id: event, type, at: created_at, payload }: PreparedDelivery,
  {
    faults,
    at,
  }: {
    readonly faults: readonly DeliveryFault[]
    readonly at: number | null
  },
) {
  const stored = world.collection(deliveries)
  makeRoomInLog(world, webhook)
  const delivery = stored.insert({
    id: newId(stored, world.random('delivery'), 'del'),
    account,
    webhook,
    event,
    type,
    payload,
    status: at === null ? 'lost' : 'pending',
    attempts: [],
    tries: 0,
    ...(faults.length > 0 && { faults: [...faults] }),
    next_attempt_at: at,
    created_at,
  })
  if (at !== null) planAttempt(world, delivery, at)
  return delivery
}

/** Deletes the oldest deliveries of a full log. */
function makeRoomInLog(world: LiveWorld, webhook: string): void {
  const stored = world.collection(deliveries)
  const log = stored.childrenOf(webhook)
  for (const oldest of log.oldest(Math.min(2, log.size - maxDeliveries + 1))) {
    cancelAttempt(world, oldest)
    stored.delete(oldest.id)
  }
}

/** Returns the webhooks that an event goes to. */
export function subscribersOf(
  world: LiveWorld,
  { account, type, app }: Pick<WorldEvent, 'account' | 'type' | 'app'>,
): Readonly<Webhook>[] {
  const matches = (webhook: Readonly<Webhook>) =>
    webhook.enabled &&
    (webhook.events as readonly string[]).includes(type) &&
    (webhook.app === null || webhook.app === app)
  return world
    .collection(webhooks)
    .ownedBy(account)
    .take(Infinity, { matches })
    .map(({ record }) => record)
}

/** The event ids of the deliveries that the last import brought, by the records' `generation`. */
const importedEventIds = new WeakMap<object, ReadonlySet<string>>()

/** Returns a new event id. Skips ids of imported deliveries, which the seed may generate again. */
export function newEventId(world: LiveWorld): string {
  const stored = world.collection(deliveries)
  const idsOf = () => new Set(stored.all().map(({ event }) => event))
  const taken = cached(importedEventIds, stored.generation, idsOf)
  const random = world.state.chance.onwardRandom('event')
  let id: string
  do id = random.id('evt')
  while (taken.has(id))
  return id
}
