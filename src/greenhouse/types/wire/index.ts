/** The types of requests, replies and events of both APIs. */
export type { AttemptReply, DeliveryReply } from '../deliveries.ts'
export type { PlanName, Scope } from '../../records.ts'
export type {
  AppReply,
  UserReply,
  ConversationReply,
  MessageReply,
  DnsRecord,
  DeploymentReply,
  SubscriptionReply,
  PlanReply,
  CreditsReply,
  PurchaseReply,
  WebhookReply,
  AccountReply,
  KeyReply,
  ListReply,
} from '../replies.ts'
export type { EventType, AboutApp, EventData, MessageSent, FailedRenewal, WebhookEvent } from '../webhook-event.ts'
export type {
  PlantReply,
  PlantErrorReply,
  AppErrorReply,
  UsageFigures,
  UsagePeriod,
  UsageReply,
  AccountUsageReply,
  MessageDelta,
  WebhookWithSecretReply,
} from './further-replies.ts'
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
} from './requests.ts'
