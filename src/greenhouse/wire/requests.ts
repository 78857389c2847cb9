import type { ConversationReply, PurchaseReply } from '../replies.ts'
import type { EventType } from '../webhook-event.ts'
import type { PlanName } from '../records.ts'

/** The body of `POST /plants`. */
export interface NewPlant {
  /** An integer of 64 bits, as its JSON digits say; a `bigint` needs a serializer that writes it as digits. */
  id: number | bigint
  name: string
  tag?: string | undefined
}

/** The body of `POST /v1/apps`. */
export interface NewApp extends AppFields {
  name: string
}

/** The body of `PATCH /v1/apps/{app_id}`: what is absent stays. */
export interface AppChanges extends AppFields {
  name?: string | undefined
}

/** What an app may have besides its name. */
export interface AppFields {
  display_name?: string | null | undefined
  description?: string | null | undefined
  model?: string | null | undefined
  system_prompt?: string | null | undefined
  welcome_message?: string | null | undefined
  /** Whether its users must log in. */
  login_required?: boolean | undefined
}

/** The body of `POST /v1/apps/{app_id}/conversations`: with a user that is known, with one by e-mail address, or with nobody. */
export interface NewConversation {
  user_id?: string | null | undefined
  user?: { email: string; name?: string | undefined } | null | undefined
  platform?: ConversationReply['platform'] | undefined
}

/** The body of `POST …/messages`. */
export interface NewMessage {
  content: string
  /** Whether the answer comes as server-sent events. */
  stream?: boolean | undefined
}

/** The body of `POST /v1/webhooks`. Without `events` it is told of all of them, without `app_id` of all apps. */
export interface NewWebhook {
  /** `http` or `https`, at most 2,048 characters. */
  url: string
  events?: EventType[] | undefined
  app_id?: string | null | undefined
  enabled?: boolean | undefined
}

/** The body of `PATCH /v1/webhooks/{webhook_id}`: what is absent stays. */
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
  /** How many credits, from 1 to 1,000,000. */
  amount: number
  payment_method: PurchaseReply['payment_method']
}
