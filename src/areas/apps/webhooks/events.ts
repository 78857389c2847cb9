import { toIso } from '../../../core/time/clock.ts'
import { sampleOfAccount } from '../../event-sample.ts'
import { madeUpId } from '../made-up-id.ts'
import type { Webhook } from './schemas/webhook.ts'

/** The data of `webhook.test`. @param at when it was asked for, in milliseconds since 1970. */
export function toWebhookTest({ id }: Pick<Webhook, 'id'>, at: number, message = 'This is a test.') {
  return { webhook_id: id, message, sent_at: toIso(at) }
}

/** The same of a webhook that is made up: where it is triggered, each webhook is told of itself. */
const webhookTest = /* @__PURE__ */ sampleOfAccount((world) => toWebhookTest({ id: madeUpId('wh') }, world.clock.now()))

export const webhookEvents = { 'webhook.test': webhookTest }
