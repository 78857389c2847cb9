import type { WebhookReply } from '../replies.ts'

/** A plant, as replies carry it. */
export interface PlantReply {
  name: string
  tag?: string | undefined
}

/** The body of an error of the plant store. */
export interface PlantErrorReply {
  error: number
  message: string
}

/** The body of an error below `/v1`. */
export interface AppErrorReply {
  error: {
    code:
      | 'invalid_request'
      | 'idempotency_key_reused'
      | 'payment_declined'
      | 'duplicate_id'
      | 'missing_api_key'
      | 'invalid_api_key'
      | 'insufficient_permissions'
      | 'insufficient_credits'
      | 'not_found'
      | 'rate_limit_exceeded'
      | 'internal_error'
    message: string
    request_id: string
  }
}

/** The usage in a period. */
export interface UsageFigures {
  messages: number
  conversations: number
  active_users: number
  credits: number
}

/** Usage in total, and bucket by bucket. Empty buckets are included. */
export interface UsagePeriod {
  /** ISO 8601. */
  from: string
  /** ISO 8601. */
  to: string
  interval: 'hour' | 'day' | 'month'
  totals: UsageFigures
  /** `start` is ISO 8601. */
  buckets: ({ start: string } & UsageFigures)[]
}

/** The usage of an app. */
export interface UsageReply extends UsagePeriod {
  app_id: string
}

/** The usage of all apps of an account together, and of each app when the request asks for it. */
export interface AccountUsageReply extends UsagePeriod {
  apps?: ({ app_id: string } & UsageFigures)[] | undefined
}

/** One word of a streamed message: the data of one event of the stream. */
export interface MessageDelta {
  id: string
  delta: { content: string }
}

/** A webhook with its secret. Only replies that create a secret contain it. */
export interface WebhookWithSecretReply extends WebhookReply {
  /** `whsec_` and base64: the key that signs deliveries. */
  secret: string
}
