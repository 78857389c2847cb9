// Compares the documented interfaces with the collections and events that they describe. Nothing imports this file: only the type
// checker reads it.
import type { presentApp } from '../../areas/apps/apps/present.ts'
import type { toConditionMet, toConversationEnded, toMessageSent } from '../../areas/apps/conversations/events.ts'
import type { presentDeployment } from '../../areas/apps/deployments/present.ts'
import type { toPurchaseEvent, toRenewalFailed } from '../../areas/apps/payments/events.ts'
import type { presentState } from '../../areas/apps/payments/subscription-state.ts'
import type { toUserSignedUp } from '../../areas/apps/users/events.ts'
import type { toWebhookTest } from '../../areas/apps/webhooks/events.ts'
import type { toPlantCreated } from '../../areas/plants/events.ts'
import type { EventType } from '../../areas/event-types.ts'
import type { CoreWorldStart as CoreStart } from '../../core/world/world-template.ts'
import type { definitions, RecordOf } from '../assembly/catalogue.ts'
import type { RecordTypes } from '../records.ts'
import type { EventData } from '../generated/wire-types.ts'
import type { WorldStart } from '../world-start.ts'

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : { one: One; other: Other }

/** Compiles only if every check is `true`. */
type Holds<Checks extends Readonly<Record<string, true>>> = Checks

type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T

type Collections = { [Name in keyof typeof definitions]: RecordOf<Name> }

export type RecordChecks = Holds<{ all: Same<Flat<Collections>, Flat<RecordTypes>> }>

interface Sent {
  'plant.created': ReturnType<typeof toPlantCreated>
  'app.created': ReturnType<typeof presentApp>
  'app.updated': ReturnType<typeof presentApp>
  'app.deleted': ReturnType<typeof presentApp>
  'user.signed_up': ReturnType<typeof toUserSignedUp>
  'message.sent': ReturnType<typeof toMessageSent>
  'condition.met': ReturnType<typeof toConditionMet>
  'conversation.ended': ReturnType<typeof toConversationEnded>
  'deployment.live': ReturnType<typeof presentDeployment>
  'deployment.failed': ReturnType<typeof presentDeployment>
  'subscription.updated': ReturnType<typeof presentState>
  'subscription.canceled': ReturnType<typeof presentState>
  'credits.purchased': ReturnType<typeof toPurchaseEvent>
  'payment.failed': ReturnType<typeof toPurchaseEvent> | ReturnType<typeof toRenewalFailed>
  'webhook.test': ReturnType<typeof toWebhookTest>
}

type Wide<T> = T extends string
  ? string
  : T extends bigint
    ? number
    : T extends object
      ? { [Key in keyof T]: Wide<T[Key]> }
      : T

export type EventChecks = Holds<{
  types: Same<keyof EventData, EventType>
  sent: { [Type in keyof Sent]: Wide<Sent[Type]> extends Wide<EventData[Type]> ? true : Type }[keyof Sent]
  all: { [Type in keyof Sent]: Same<keyof Sent[Type], keyof EventData[Type]> }[keyof Sent]
}>

export type Starts = Holds<{ fields: Same<keyof WorldStart, keyof CoreStart | 'records'> }>
