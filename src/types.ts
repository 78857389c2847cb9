// The order of this file is the order of the emitted types. There is no code behind them.

// Requests: what clients send
export type {
  NewPlant,
  NewApp,
  AppChanges,
  AppFields,
  NewConversation,
  NewMessage,
  NewWebhook,
  WebhookChanges,
  NewDeployment,
  NewBranding,
  SubscriptionChanges,
  NewPurchase,
} from './api/generated/wire-types.ts'

// Replies: what clients get
export type {
  PlantReply,
  PlantErrorReply,
  AppReply,
  AppErrorReply,
  UserReply,
  ConversationReply,
  MessageReply,
  MessageDelta,
  DeploymentReply,
  DnsRecord,
  SubscriptionReply,
  PlanReply,
  CreditsReply,
  PurchaseReply,
  WebhookReply,
  WebhookWithSecretReply,
  DeliveryReply,
  AttemptReply,
  UsageReply,
  AccountUsageReply,
  UsagePeriod,
  UsageFigures,
  AccountReply,
  KeyReply,
  ListReply,
} from './api/generated/wire-types.ts'
export type { PlanName, Scope } from './api/records.ts'

// Events: what webhooks are sent
export type { WebhookEvent, EventData, AboutApp, MessageSent, FailedRenewal } from './api/generated/wire-types.ts'
export type { EventType } from './areas/event-types.ts'
