// Compares the types of greenhouse-mock/types with the schemas of requests, replies and events. Nothing imports this file: the
// type checker alone reads it.
import type * as z from 'zod/mini'
import type { accountResource } from '../../../areas/apps/account/index.ts'
import type { appResource } from '../../../areas/apps/apps/index.ts'
import type { appSchema } from '../../../areas/apps/apps/schemas.ts'
import type { conversationResource } from '../../../areas/apps/conversations/index.ts'
import type { messageDeltaSchema } from '../../../areas/apps/conversations/schemas/message.ts'
import type { deploymentResource } from '../../../areas/apps/deployments/index.ts'
import type { appErrorSchema } from '../../../areas/apps/errors.ts'
import type { listSchema } from '../../../areas/apps/list-schema.ts'
import type { paymentResource } from '../../../areas/apps/payments/index.ts'
import type { usageResource } from '../../../areas/apps/usage/index.ts'
import type { userResource } from '../../../areas/apps/users/index.ts'
import type { webhookResource } from '../../../areas/apps/webhooks/index.ts'
import type { newPlantSchema, plantErrorSchema, plantSchema } from '../../../areas/plants/schemas.ts'
import type { EventType as KnownEvent } from '../../../areas/event-types.ts'
import type { Scope as KnownScope } from '../../../core/accounts/accounts.ts'
import type { PlanName as KnownPlan } from '../../../core/accounts/plans.ts'
import type { ErrorCode, errors } from '../../../core/definitions/errors.ts'
import type * as wire from './index.ts'

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : { one: One; other: Other }

/** Compiles only if every check is `true`. */
type Holds<Checks extends Readonly<Record<string, true>>> = Checks

/** Expands an object type, so that an interface and an intersection of the same fields compare as equal. */
type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T

/** The schemas that the OpenAPI document names. */
type Schemas = typeof accountResource.schemas &
  typeof appResource.schemas &
  typeof conversationResource.schemas &
  typeof deploymentResource.schemas &
  typeof paymentResource.schemas &
  typeof usageResource.schemas &
  typeof userResource.schemas &
  typeof webhookResource.schemas & {
    Error: typeof appErrorSchema
    Plant: typeof plantSchema
    NewPlant: typeof newPlantSchema
    PlantError: typeof plantErrorSchema
  }

/** The TypeScript type of each schema. */
interface Types {
  Account: wire.AccountReply
  AccountUsage: wire.AccountUsageReply
  App: wire.AppReply
  AppChanges: wire.AppChanges
  Conversation: wire.ConversationReply
  Credits: wire.CreditsReply
  Delivery: wire.DeliveryReply
  Deployment: wire.DeploymentReply
  Error: wire.AppErrorReply
  Message: wire.MessageReply
  NewApp: wire.NewApp
  NewConversation: wire.NewConversation
  NewDeployment: wire.NewDeployment
  NewMessage: wire.NewMessage
  NewPlant: wire.NewPlant
  NewPurchase: wire.NewPurchase
  NewWebhook: wire.NewWebhook
  Plan: wire.PlanReply
  Plant: wire.PlantReply
  PlantError: wire.PlantErrorReply
  Purchase: wire.PurchaseReply
  Subscription: wire.SubscriptionReply
  SubscriptionChanges: wire.SubscriptionChanges
  Usage: wire.UsageReply
  User: wire.UserReply
  Webhook: wire.WebhookReply
  WebhookChanges: wire.WebhookChanges
  WebhookWithSecret: wire.WebhookWithSecretReply
}

/** The type of a schema's JSON, as a client writes or reads it. */
type Written<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : never

/** Omits the payload of a delivery, because its schema describes an event's data only as an object. */
type Comparable<T> = T extends { webhook_id: unknown; payload: unknown } ? Omit<T, 'payload'> : T

type Compare<One, Other> = Same<Flat<Comparable<One>>, Flat<Comparable<Other>>>

/** Checks that every schema has a type, and every type a schema. */
export type Names = Holds<{
  schemas: Same<keyof Schemas, keyof Types>
  events: Same<keyof EventSchemas, keyof wire.EventData>
}>

/** Checks that the types match the schemas. */
export type Bodies = Holds<{
  [Name in Exclude<keyof Schemas & keyof Types, 'Error'>]: Compare<Types[Name], Written<Schemas[Name]>>
}>

/** The schemas of events' data. */
type EventSchemas = typeof appResource.eventSchemas &
  typeof conversationResource.eventSchemas &
  typeof deploymentResource.eventSchemas &
  typeof paymentResource.eventSchemas &
  typeof userResource.eventSchemas &
  typeof webhookResource.eventSchemas & { 'plant.created': typeof newPlantSchema }

/** The type of a `JSON.parse` result: without `bigint`. */
type Parsed<T> = T extends bigint ? never : T extends object ? { [Key in keyof T]: Parsed<T[Key]> } : T

/** Checks that the types of events match their schemas. */
export type WireEventChecks = Holds<{
  [Type in keyof EventSchemas & keyof wire.EventData]: Compare<
    wire.EventData[Type],
    Parsed<Written<EventSchemas[Type]>>
  >
}>

/** The error codes below `/v1`: those with a status that the reference lists. */
type AppErrorCode = {
  [Code in ErrorCode]: (typeof errors)[Code]['status'] extends 400 | 401 | 403 | 404 | 429 | 500 ? Code : never
}[ErrorCode]

/** Checks the types that have no name in the document. */
export type Rest = Holds<{
  list: Compare<wire.ListReply<wire.AppReply>, z.input<ReturnType<typeof listSchema<typeof appSchema>>>>
  error: Compare<
    wire.AppErrorReply,
    { error: Omit<Written<Schemas['Error']>['error'], 'code'> & { code: AppErrorCode } }
  >
  delta: Compare<wire.MessageDelta, z.input<typeof messageDeltaSchema>>
  event: Same<wire.EventType, KnownEvent>
  scope: Same<wire.Scope, KnownScope>
  plan: Same<wire.PlanName, KnownPlan>
}>
