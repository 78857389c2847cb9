import { toIso } from '../../../core/time/time-text.ts'
import { sampleOfAccount } from '../../event-sample.ts'
import { placeholderId } from '../app-event-sample.ts'
import type { Webhook } from './schemas/webhook.ts'

/** Returns the data of `webhook.test`. @param at when it was requested, in milliseconds since 1970. */
export function toWebhookTest({ id }: Pick<Webhook, 'id'>, at: number, message = 'This is a test.') {
  return { webhook_id: id, message, sent_at: toIso(at) }
}

/** Sample data with a generated webhook id. A trigger replaces it with the id of each webhook. */
const webhookTest = /* @__PURE__ */ sampleOfAccount((world) =>
  toWebhookTest({ id: placeholderId('wh') }, world.clock.now()),
)

export const webhookEvents = { 'webhook.test': webhookTest }
