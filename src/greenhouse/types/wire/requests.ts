import type { ConversationReply, PurchaseReply } from '../replies.ts'
import type { EventType } from '../webhook-event.ts'
import type { PlanName } from '../../records.ts'

/** The body of `POST /plants`. */
export interface NewPlant {
  /** A 64-bit integer. `JSON.stringify` can't write a `bigint`: use a serializer that writes its digits. */
  id: number | bigint
  name: string
  tag?: string | undefined
}

/** The body of `POST /v1/apps`. */
export interface NewApp extends AppFields {
  name: string
}

/** The body of `PATCH /v1/apps/{app_id}`. Absent fields stay as they are. */
export interface AppChanges extends AppFields {
  name?: string | undefined
}

/** The optional fields of an app. */
export interface AppFields {
  display_name?: string | null | undefined
  description?: string | null | undefined
  model?: string | null | undefined
  system_prompt?: string | null | undefined
  welcome_message?: string | null | undefined
  /** Whether its users must log in. */
  login_required?: boolean | undefined
}

/** The body of `POST /v1/apps/{app_id}/conversations`. Give the `user_id` of a known user, the e-mail address of any user, or neither. */
export interface NewConversation {
  user_id?: string | null | undefined
  user?: { email: string; name?: string | undefined } | null | undefined
  platform?: ConversationReply['platform'] | undefined
}

/** The body of `POST …/messages`. */
export interface NewMessage {
  content: string
  /** Whether to stream the app's answer as server-sent events. */
  stream?: boolean | undefined
}

/** The body of `POST /v1/webhooks`. By default the webhook gets all events of all apps. */
export interface NewWebhook {
  /** `http` or `https`, at most 2,048 characters. */
  url: string
  events?: EventType[] | undefined
  app_id?: string | null | undefined
  enabled?: boolean | undefined
}

/** The body of `PATCH /v1/webhooks/{webhook_id}`. Absent fields stay as they are. */
export interface WebhookChanges extends Omit<NewWebhook, 'url'> {
  url?: string | undefined
}

/** The body that creates a deployment or changes one. */
export interface NewDeployment {
  domain?: string | undefined
  branding?: NewBranding | undefined
}

/** How a deployment looks. */
export interface NewBranding {
  name?: string | null | undefined
  logo_url?: string | null | undefined
  /** `#2e7d32` */
  primary_color?: string | null | undefined
  hide_powered_by?: boolean | undefined
}

/** The body of `PATCH /v1/subscription`. */
export interface SubscriptionChanges {
  plan: PlanName
}

/** The body of `POST /v1/purchases`. */
export interface NewPurchase {
  /** The number of credits, from 1 to 1,000,000. */
  amount: number
  payment_method: PurchaseReply['payment_method']
}
