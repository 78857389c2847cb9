import { toIso } from '../../../core/time/clock.ts'
import { sampleOfAccount } from '../../event-sample.ts'
import { madeUpId } from '../made-up-id.ts'
import type { Webhook } from './schemas/webhook.ts'

/** Returns the data of `webhook.test`. @param at when it was requested, in milliseconds since 1970. */
export function toWebhookTest({ id }: Pick<Webhook, 'id'>, at: number, message = 'This is a test.') {
  return { webhook_id: id, message, sent_at: toIso(at) }
}

/** The data for a generated webhook. When it is triggered, each webhook gets its own id. */
const webhookTest = /* @__PURE__ */ sampleOfAccount((world) => toWebhookTest({ id: madeUpId('wh') }, world.clock.now()))

export const webhookEvents = { 'webhook.test': webhookTest }
