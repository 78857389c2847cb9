import type {
  AppReply,
  ConversationReply,
  DeploymentReply,
  PurchaseReply,
  SubscriptionReply,
  UserReply,
} from './replies.ts'

export type { EventType } from '../../areas/event-types.ts'

/** The app that an event is about. */
export interface AboutApp {
  app_id: string
  app_name: string
}

/** The `data` of an event, by the event's type. */
export interface EventData {
  'plant.created': { id: number; name: string; tag?: string }
  'app.created': AppReply
  'app.updated': AppReply
  'app.deleted': AppReply
  'user.signed_up': AboutApp & { user: UserReply }
  'message.sent': MessageSent
  /** The balance fell to `threshold` credits. */
  'condition.met': AboutApp & { condition: { name: 'credits_low'; threshold: number; balance: number } }
  'conversation.ended': AboutApp & { conversation: ConversationReply }
  'deployment.live': DeploymentReply
  'deployment.failed': DeploymentReply
  'subscription.updated': SubscriptionReply
  'subscription.canceled': SubscriptionReply
  /** The purchase, with the balance after it. */
  'credits.purchased': PurchaseReply & { balance: number }
  /** A purchase whose payment failed, or a renewal that was not paid. */
  'payment.failed': (PurchaseReply & { balance: number }) | FailedRenewal
  /** A test that `webhooks.test` sent; `sent_at` is ISO 8601. */
  'webhook.test': { webhook_id: string; message: string; sent_at: string }
}

/** A message of a user, with the app's answer. */
export interface MessageSent extends AboutApp {
  /** `null` when the user is not logged in. */
  user: UserReply | null
  conversation: { id: string; message_count: number; last_message: string; ai_response: string }
  /** `session_duration` is in seconds. */
  metadata: { session_duration: number; platform: ConversationReply['platform'] }
}

/** A renewal of a subscription that was not paid. */
export interface FailedRenewal {
  subscription: SubscriptionReply
  /** In US cents. */
  amount: number
  currency: 'USD'
  /** The number of this charge, counted from 1 since the renewal. */
  attempt: number
  /** ISO 8601; `null` when there is no further charge. */
  next_attempt_at: string | null
}

/**
 * The body of a webhook's request: a union by `type`.
 * @example
 * const event: WebhookEvent = JSON.parse(body)
 * if (event.type === 'message.sent') console.log(event.data.conversation.last_message)
 */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    type: Type
    /** When the event happened, on the world's clock: ISO 8601. */
    timestamp: string
    data: EventData[Type]
  }
}[keyof EventData]
