// Compares the documented interfaces with the schemas, collections and events that they describe. Nothing imports this file:
// the type checker alone reads it.
import type * as z from 'zod/mini'
import type { ownAccountSchema } from '../../areas/apps/account/schemas.ts'
import type { toAppEvent } from '../../areas/apps/apps/events.ts'
import type { appSchema } from '../../areas/apps/apps/schemas.ts'
import type { toConditionMet, toConversationEnded, toMessageSent } from '../../areas/apps/conversations/events.ts'
import type { conversationSchema } from '../../areas/apps/conversations/schemas/conversation.ts'
import type { messageSchema } from '../../areas/apps/conversations/schemas/message.ts'
import type { toDeploymentEvent } from '../../areas/apps/deployments/events.ts'
import type { deploymentSchema, dnsRecordSchema } from '../../areas/apps/deployments/schemas.ts'
import type { toPurchaseEvent, toRenewalFailed, toSubscriptionEvent } from '../../areas/apps/payments/events.ts'
import type { creditsSchema } from '../../areas/apps/payments/schemas/credits.ts'
import type { planSchema } from '../../areas/apps/payments/schemas/plan.ts'
import type { purchaseSchema } from '../../areas/apps/payments/schemas/purchase.ts'
import type { subscriptionSchema } from '../../areas/apps/payments/schemas/subscription.ts'
import type { toUserSignedUp } from '../../areas/apps/users/events.ts'
import type { userSchema } from '../../areas/apps/users/schemas.ts'
import type { toWebhookTest } from '../../areas/apps/webhooks/events.ts'
import type { deliverySchema } from '../../areas/apps/webhooks/schemas/delivery.ts'
import type { webhookSchema } from '../../areas/apps/webhooks/schemas/webhook.ts'
import type { toPlantCreated } from '../../areas/plants/events.ts'
import type { EventType } from '../../areas/event-types.ts'
import type { conditions, limits } from '../../scenarios/condition.ts'
import type { EffectKind } from '../../scenarios/effect-kind.ts'
import type { accountEffect } from '../../scenarios/effects/account.ts'
import type { deliverEffect } from '../../scenarios/effects/deliver.ts'
import type { keysEffect } from '../../scenarios/effects/keys.ts'
import type { malformEffect } from '../../scenarios/effects/malform.ts'
import type { paymentsEffect } from '../../scenarios/effects/payments.ts'
import type { quotaEffect } from '../../scenarios/effects/quota.ts'
import type { recordsEffect } from '../../scenarios/effects/records.ts'
import type { respondEffect } from '../../scenarios/effects/respond.ts'
import type { FaultKind } from '../../scenarios/fault-kind.ts'
import type clockSkew from '../../scenarios/faults/clock-skew.ts'
import type delay from '../../scenarios/faults/delay.ts'
import type drip from '../../scenarios/faults/drip.ts'
import type emptyReply from '../../scenarios/faults/empty-reply.ts'
import type garbage from '../../scenarios/faults/garbage.ts'
import type headers from '../../scenarios/faults/headers.ts'
import type networkError from '../../scenarios/faults/network-error.ts'
import type reset from '../../scenarios/faults/reset.ts'
import type stream from '../../scenarios/faults/stream.ts'
import type timeout from '../../scenarios/faults/timeout.ts'
import type truncate from '../../scenarios/faults/truncate.ts'
import type { CoreWorldStart as CoreStart } from '../../core/world/origin.ts'
import type { MalformKind } from '../../scenarios/malformation.ts'
import type { definitions, RecordOf } from '../assembly/catalogue.ts'
import type { DeliveryReply } from './deliveries.ts'
import type * as inline from '../generated/inline-scenario.ts'
import type { MalformationKind } from '../malformations.ts'
import type { RecordTypes } from '../records.ts'
import type * as reply from './replies.ts'
import type { EventData } from './webhook-event.ts'
import type { WorldStart } from '../world-start.ts'

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : { one: One; other: Other }

/** Compiles only if every check is `true`. */
type Holds<Checks extends Readonly<Record<string, true>>> = Checks

type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T
type Shows<Reply, Schema extends z.ZodMiniType> = Same<Flat<Reply>, Flat<z.infer<Schema>>>

/** Checks that the interfaces of replies match the schemas. */
export type ReplyChecks = Holds<{
  account: Shows<reply.AccountReply, typeof ownAccountSchema>
  app: Shows<reply.AppReply, typeof appSchema>
  user: Shows<reply.UserReply, typeof userSchema>
  conversation: Shows<reply.ConversationReply, typeof conversationSchema>
  message: Shows<reply.MessageReply, typeof messageSchema>
  dnsRecord: Shows<reply.DnsRecord, typeof dnsRecordSchema>
  deployment: Shows<reply.DeploymentReply, typeof deploymentSchema>
  subscription: Shows<reply.SubscriptionReply, typeof subscriptionSchema>
  plan: Shows<reply.PlanReply, typeof planSchema>
  credits: Shows<reply.CreditsReply, typeof creditsSchema>
  purchase: Shows<reply.PurchaseReply, typeof purchaseSchema>
  webhook: Shows<reply.WebhookReply, typeof webhookSchema>
  delivery: Shows<Omit<DeliveryReply, 'payload'>, z.ZodMiniType<Omit<z.infer<typeof deliverySchema>, 'payload'>>>
}>

type Collections = { [Name in keyof typeof definitions]: RecordOf<Name> }

/** Checks that every collection has its own record type, and that there are no other record types. */
export type RecordChecks = Holds<{ all: Same<Flat<Collections>, Flat<RecordTypes>> }>

/** The data that the code sends, by event type. */
interface Sent {
  'plant.created': ReturnType<typeof toPlantCreated>
  'app.created': ReturnType<typeof toAppEvent>
  'app.updated': ReturnType<typeof toAppEvent>
  'app.deleted': ReturnType<typeof toAppEvent>
  'user.signed_up': ReturnType<typeof toUserSignedUp>
  'message.sent': ReturnType<typeof toMessageSent>
  'condition.met': ReturnType<typeof toConditionMet>
  'conversation.ended': ReturnType<typeof toConversationEnded>
  'deployment.live': ReturnType<typeof toDeploymentEvent>
  'deployment.failed': ReturnType<typeof toDeploymentEvent>
  'subscription.updated': ReturnType<typeof toSubscriptionEvent>
  'subscription.canceled': ReturnType<typeof toSubscriptionEvent>
  'credits.purchased': ReturnType<typeof toPurchaseEvent>
  'payment.failed': ReturnType<typeof toPurchaseEvent> | ReturnType<typeof toRenewalFailed>
  'webhook.test': ReturnType<typeof toWebhookTest>
}

/** Widens `'USD'` to `string`, as TypeScript does when it infers a return type. */
type Wide<T> = T extends string
  ? string
  : T extends bigint
    ? number
    : T extends object
      ? { [Key in keyof T]: Wide<T[Key]> }
      : T

/** Checks that every event type has an interface, and that events have the fields of their interface. */
export type EventChecks = Holds<{
  types: Same<keyof EventData, EventType>
  sent: { [Type in keyof Sent]: Wide<Sent[Type]> extends Wide<EventData[Type]> ? true : Type }[keyof Sent]
  all: { [Type in keyof Sent]: Same<keyof Sent[Type], keyof EventData[Type]> }[keyof Sent]
}>

/** Checks that `MalformationKind` names every kind of malformation. */
export type Malformations = Holds<{ kinds: Same<MalformationKind, MalformKind> }>

/** Checks that a world's start has the fields of the core's, and `records`. */
export type Starts = Holds<{ fields: Same<keyof WorldStart, keyof CoreStart | 'records'> }>

/** Removes `readonly`, and widens the patterns of `on` to strings, as in the schemas. */
type Writable<T> = T extends string
  ? T
  : T extends object
    ? { -readonly [Key in keyof T]: Key extends 'on' ? string | string[] | undefined : Writable<T[Key]> }
    : T

/** `true` for two types with the same values, even if editors complete names in only one of them. */
type Equal<One, Other> = [keyof One, keyof Other] extends [keyof Other, keyof One]
  ? [One, Other] extends [Other, One]
    ? true
    : { one: One; other: Other }
  : { one: keyof One; other: keyof Other }

type Written<Effect, Below = inline.EffectConditions> = Writable<Omit<Effect, keyof Below>>
type Shape<Fields extends z.core.$ZodLooseShape> = z.input<z.ZodMiniObject<Fields>>
type FieldsOf<Kind> = Kind extends EffectKind<unknown, infer Fields> ? Fields : never
type FaultOf<Kind> = Kind extends FaultKind<infer Fields> ? Shape<Fields> : never
type Fault<Effect> = Omit<Written<Effect>, 'kind'>

/** Checks that the interfaces of inline scenarios match the schemas of effects. */
export type Inline = Holds<{
  limits: Equal<Writable<inline.EffectLimits>, Shape<typeof limits>>
  conditions: Equal<Writable<inline.EffectConditions>, Shape<typeof conditions>>
  keys: Equal<Written<inline.KeysEffect>, FieldsOf<typeof keysEffect>>
  quota: Equal<Written<inline.QuotaEffect>, FieldsOf<typeof quotaEffect>>
  account: Equal<Written<inline.AccountEffect>, FieldsOf<typeof accountEffect>>
  records: Equal<Omit<Written<inline.RecordsEffect>, 'collection'>, Omit<FieldsOf<typeof recordsEffect>, 'collection'>>
  respond: Equal<Written<inline.RespondEffect>, FieldsOf<typeof respondEffect>>
  malform: Equal<Written<inline.MalformEffect>, FieldsOf<typeof malformEffect>>
  deliver: Equal<Written<inline.DeliverEffect, inline.EffectLimits>, FieldsOf<typeof deliverEffect>>
  payments: Equal<Written<inline.PaymentsEffect, inline.EffectLimits>, FieldsOf<typeof paymentsEffect>>
  clockSkew: Equal<Fault<inline.ClockSkewFault>, FaultOf<typeof clockSkew>>
  delay: Equal<Fault<inline.DelayFault>, FaultOf<typeof delay>>
  drip: Equal<Fault<inline.DripFault>, FaultOf<typeof drip>>
  emptyReply: Equal<Fault<inline.EmptyReplyFault>, FaultOf<typeof emptyReply>>
  garbage: Equal<Fault<inline.GarbageFault>, FaultOf<typeof garbage>>
  headers: Equal<Fault<inline.HeadersFault>, FaultOf<typeof headers>>
  networkError: Equal<Fault<inline.NetworkErrorFault>, FaultOf<typeof networkError>>
  reset: Equal<Fault<inline.ResetFault>, FaultOf<typeof reset>>
  stream: Equal<Fault<inline.StreamFault>, FaultOf<typeof stream>>
  timeout: Equal<Fault<inline.TimeoutFault>, FaultOf<typeof timeout>>
  truncate: Equal<Fault<inline.TruncateFault>, FaultOf<typeof truncate>>
}>
