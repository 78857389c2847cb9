/** The events that webhooks can subscribe to (ours; the reference leaves the kinds of events open). */
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

/** The type of an event that webhooks can subscribe to. */
export type EventType = (typeof eventTypes)[number]
