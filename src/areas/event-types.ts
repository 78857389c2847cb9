/** Every event that a webhook can be sent (ours; the reference leaves the kinds of events open). */
export const eventTypes = [
  'plant.created',
  'app.created',
  'app.updated',
  'app.deleted',
  'user.signed_up',
  'message.sent',
  'condition.met',
  'conversation.ended',
  'deployment.live',
  'deployment.failed',
  'subscription.updated',
  'subscription.canceled',
  'credits.purchased',
  'payment.failed',
  'webhook.test',
] as const

export type EventType = (typeof eventTypes)[number]
