import { toIso } from '../../../core/time/time-text.ts'
import { sampleOfAccount } from '../../event-types.ts'
import { placeholderId } from '../apps/events.ts'

export function toWebhookTest(
  { id }: { readonly id: string },
  at: number,
  message = 'This is a test.',
) {
  return {
    webhook_id: id,
    message,
    sent_at: toIso(at),
  }
}

export const webhookEvents = {
  'webhook.test': /* @__PURE__ */ sampleOfAccount((world) =>
    toWebhookTest({ id: placeholderId('wh') }, world.clock.now()),
  ),
}
