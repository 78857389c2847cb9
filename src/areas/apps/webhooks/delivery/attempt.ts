import { TransportClosedError } from '../../../../core/http/webhook-transport.ts'
import type { DeliveryFault } from '../../../../core/world/effective-settings.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import { type Job, release, type Run } from './queue.ts'
import { toWebhookRequest, toSent, type WebhookMessage } from './message.ts'
import { assumed, delayAfter } from '../assumptions.ts'
import { type Attempt, deliveries, type Delivery, hasAccepted, webhooks } from '../schemas.ts'
import { sendAttempt } from './send.ts'

const maxAttempts = 100

export interface AttemptScheduler {
  enqueue(next: Job): void
  forget(delivery: Readonly<Delivery>): void
}

export async function makeAttempt(
  world: CoreWorld,
  { delivery: id, at }: Job,
  run: Run,
  engine: AttemptScheduler,
): Promise<void> {
  // Lets the clock finish its move: all other work that is due by then comes first.
  await undefined
  const delivery = world.collection(deliveries).get(id)
  const webhook = delivery && world.collection(webhooks).get(delivery.webhook)
  if (!webhook?.enabled || delivery?.status !== 'pending' || delivery.next_attempt_at !== at) return
  const fault = delivery.attempts.length === 0 ? delivery.faults?.find(isWrongMessage) : undefined
  let sent: Attempt['sent']
  const { isLast, ...outcome } = await sendAttempt(
    world,
    () => {
      const request = toWebhookRequest(world, webhook, {
        id: delivery.event,
        payload: delivery.payload,
        due: at,
        fault,
      })
      sent = toSent(request)
      return { ...request, delivery: id }
    },
    run,
  )
  // A case has no other order: its replay does all work that is due before an answer.
  world.catchUp()
  if (run.stopped && !(run.stopped instanceof TransportClosedError)) return
  world.clock.during(() => {
    world.recordChange({ answer: { delivery: id, ...outcome } })
    const next = record(
      world,
      id,
      { at, ...outcome, ...(fault && { fault: fault.kind }), ...(sent && { sent }) },
      isLast,
      engine,
    )
    if (next) engine.enqueue(next)
    world.notify({
      event: 'delivery',
      world: world.name,
      at,
      webhook: webhook.id,
      delivery: id,
      type: delivery.type,
      url: webhook.url,
      attempt: delivery.tries + 1,
      status: outcome.status,
      error: outcome.error,
      ms: outcome.latency,
      next: next?.at ?? null,
    })
    release(world, { webhook: webhook.id, account: webhook.account, delivery: id, at }, engine.enqueue)
  })
}

export function failJobs(
  world: CoreWorld,
  jobs: readonly Job[],
  { message: error }: Error,
  engine: AttemptScheduler,
): void {
  const stored = world.collection(deliveries)
  for (const { delivery: id, at } of jobs) {
    const delivery = stored.get(id)
    if (delivery?.status === 'pending' && delivery.next_attempt_at === at)
      record(world, id, { at, status: null, error, latency: 0, response: null }, true, engine)
  }
}

function record(
  world: CoreWorld,
  id: string,
  made: Attempt,
  isLast: boolean,
  engine: AttemptScheduler,
): Job | undefined {
  const stored = world.collection(deliveries)
  const before = stored.get(id)
  if (!before) return undefined
  const { webhook, account } = before
  const attempts = [...before.attempts, made].slice(-maxAttempts)
  const isGone = made.status === 410 && assumed(world, 'webhooks.gone') === 'disable'
  const hasSucceeded = hasAccepted(made)
  const ends = isGone || isLast || !world.collection(webhooks).get(webhook)?.enabled
  if (!ends && before.status === 'pending' && before.next_attempt_at !== made.at) {
    // A redelivery was requested during this attempt: the next attempt is already queued.
    stored.change(id, { attempts })
    return undefined
  }
  const { redeliveries = 0 } = before
  if (!ends && redeliveries > 0) {
    const at = world.clock.now()
    stored.change(id, { attempts, tries: 0, status: 'pending', redeliveries: redeliveries - 1, next_attempt_at: at })
    return { delivery: id, webhook, account, at }
  }
  const tries = before.tries + 1
  const delay = hasSucceeded || ends ? undefined : delayAfter(world, tries)
  if (delay === undefined) {
    stored.change(id, {
      attempts,
      tries,
      status: hasSucceeded ? 'succeeded' : 'failed',
      redeliveries: undefined,
      next_attempt_at: null,
    })
    if (isGone) {
      world.collection(webhooks).update(webhook, { enabled: false, updated_at: made.at })
      cancelPending(world, webhook, engine.forget)
    }
    return undefined
  }
  stored.change(id, { attempts, tries, status: 'pending', next_attempt_at: made.at + delay })
  return { delivery: id, webhook, account, at: made.at + delay }
}

export function cancelPending(world: CoreWorld, webhook: string, forget: AttemptScheduler['forget']): void {
  const stored = world.collection(deliveries)
  for (const delivery of stored.childrenOf(webhook).oldest(Infinity)) {
    if (delivery.status !== 'pending') continue
    forget(delivery)
    stored.update(delivery.id, { status: 'failed', redeliveries: undefined, next_attempt_at: null })
  }
}

function isWrongMessage(fault: DeliveryFault): fault is NonNullable<WebhookMessage['fault']> {
  return fault.kind === 'stale-timestamp' || fault.kind === 'bad-signature'
}
