import type { EventType } from '../../areas/event-types.ts'
import type { PlanName, Scope } from '../records.ts'

/** An app, as replies of `/v1/apps` and events carry it. A field that was never set is `null`. */
export interface AppReply {
  /** `app_` and 16 characters. */
  id: string
  name: string
  display_name: string | null
  description: string | null
  model: string | null
  system_prompt: string | null
  welcome_message: string | null
  /** Whether its users must log in. */
  login_required: boolean
  /** ISO 8601. */
  created_at: string
  /** ISO 8601. */
  updated_at: string
}

/** An end user of an app, as replies and events carry it. */
export interface UserReply {
  /** `usr_` and 16 characters. */
  id: string
  email: string
  name: string
  /** ISO 8601. */
  signup_date: string
}

/** A conversation, as replies and events carry it. */
export interface ConversationReply {
  /** `conv_` and 16 characters. */
  id: string
  app_id: string
  /** `null` when the user is not logged in. */
  user_id: string | null
  status: 'active' | 'ended'
  /** Where the user chats with the app. */
  platform: 'web' | 'ios' | 'android' | 'api'
  message_count: number
  /** ISO 8601. */
  created_at: string
  /** ISO 8601; `null` while there is no message. */
  last_message_at: string | null
  /** ISO 8601; `null` while the conversation is active. */
  ended_at: string | null
}

/** A message of a conversation, as replies carry it. */
export interface MessageReply {
  /** `msg_` and 16 characters. */
  id: string
  conversation_id: string
  role: 'user' | 'assistant'
  content: string
  /** The id of the message that this one answers; `null` for a message of the user. */
  reply_to: string | null
  /** The cost of the message. */
  credits: number
  /** ISO 8601. */
  created_at: string
}

/** A DNS record that the owner of a custom domain sets. */
export interface DnsRecord {
  type: 'CNAME' | 'TXT'
  name: string
  value: string
  status: 'pending' | 'verified' | 'mismatch'
}

/** A deployment of an app, as replies and events carry it. */
export interface DeploymentReply {
  /** `dep_` and 16 characters. */
  id: string
  app_id: string
  domain: string
  custom_domain: boolean
  /** `https://` and the domain. */
  url: string
  state: 'pending_dns' | 'issuing_certificate' | 'live' | 'failed'
  /** Why the deployment failed; `null` in every other state. */
  failure: { code: 'dns_timeout' | 'dns_mismatch' | 'certificate_failed'; message: string } | null
  /** The records to set for a custom domain; empty for a domain of the service. */
  dns_records: DnsRecord[]
  /** The deadline for the DNS records: ISO 8601. `null` unless the state is `pending_dns`. */
  verify_before: string | null
  branding: { name: string | null; logo_url: string | null; primary_color: string | null; hide_powered_by: boolean }
  /** ISO 8601; `null` until the deployment is live. */
  live_at: string | null
  /** ISO 8601. */
  created_at: string
  /** ISO 8601. */
  updated_at: string
}

/** A subscription, as replies and events carry it. */
export interface SubscriptionReply {
  plan: PlanName
  status: 'active' | 'past_due' | 'canceled'
  /** Whether the subscription ends with its period. */
  cancel_at_period_end: boolean
  /** ISO 8601. */
  period_start: string
  /** ISO 8601. */
  period_end: string
  /** When the client canceled: ISO 8601. The subscription may continue until its period ends. */
  canceled_at: string | null
  /** The paid plan that ended; `null` if none did. */
  former_plan: PlanName | null
}

/** A plan that an account can subscribe to, as replies carry it. */
export interface PlanReply {
  id: PlanName
  name: string
  /** The price of one period, in US cents. */
  price: { amount: number; currency: 'USD' }
  limits: { requests_per_minute: number; requests_per_day: number; apps: number }
  features: { custom_domain: boolean; hide_powered_by: boolean }
}

/** A balance of credits, as replies carry it. */
export interface CreditsReply {
  /** `purchased` minus `spent`. */
  balance: number
  purchased: number
  spent: number
}

/** A purchase of credits, as replies carry it. */
export interface PurchaseReply {
  /** `pur_` and 16 characters. */
  id: string
  /** The number of credits. */
  amount: number
  /** Decides the outcome of the payment. */
  payment_method: 'pm_ok' | 'pm_declined' | 'pm_fails_later'
  status: 'pending' | 'succeeded' | 'failed'
  /** ISO 8601. */
  created_at: string
  /** ISO 8601; `null` while the purchase is pending. */
  settled_at: string | null
}

/** A webhook, as replies carry it: without its secret, which only `webhooks.create` and `webhooks.rotate-secret` show. */
export interface WebhookReply {
  /** `wh_` and 16 characters. */
  id: string
  url: string
  events: EventType[]
  /** The only app whose events are sent; `null` for all apps. */
  app_id: string | null
  enabled: boolean
  /** ISO 8601. */
  created_at: string
  /** ISO 8601. */
  updated_at: string
}

/** The caller's account and key, as `GET /v1/account` shows them. */
export interface AccountReply {
  id: string
  name: string
  email: string
  plan: PlanName
  key: KeyReply
}

/** The key of the request, by its fingerprint. No reply contains the key itself. */
export interface KeyReply {
  /** `fp_` and 12 hexadecimal digits. */
  fingerprint: string
  scopes: Scope[]
  /** ISO 8601; `null` for a key that does not expire. */
  expires_at: string | null
}

/** A page of a list, the newest first. */
export interface ListReply<Item> {
  data: Item[]
  has_more: boolean
  /** The query parameter `cursor` of the next page; `null` on the last page. */
  next_cursor: string | null
}
