import { toIso } from '../../../core/time/clock.ts'
import type { World } from '../../../core/world/world.ts'
import { madeUpId } from '../event-sample.ts'
import { webhooks, type Webhook } from './schemas.ts'

/** What `webhook.test` tells. @param at when it was asked for, in milliseconds since 1970. */
export function toWebhookTest({ id }: Pick<Webhook, 'id'>, at: number, message = 'This is a test.') {
  return { webhook_id: id, message, sent_at: toIso(at) }
}

/** What it would tell to an account's newest webhook, or to one that is made up. */
export function sampleWebhookTest(world: World, account: string) {
  return toWebhookTest(
    world.collection(webhooks).ownedBy(account).newest(1)[0]?.record ?? { id: madeUpId('wh') },
    world.clock.now(),
  )
}
