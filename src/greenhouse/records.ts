import type { App } from '../areas/apps/apps/schemas.ts'
import type { Conversation } from '../areas/apps/conversations/schemas/conversation.ts'
import type { Message } from '../areas/apps/conversations/schemas/message.ts'
import type { Deployment } from '../areas/apps/deployments/schemas.ts'
import type { Credits } from '../areas/apps/payments/schemas/credits.ts'
import type { Purchase } from '../areas/apps/payments/schemas/purchase.ts'
import type { Subscription } from '../areas/apps/payments/schemas/subscription.ts'
import type { User } from '../areas/apps/users/schemas.ts'
import type { Delivery } from '../areas/apps/webhooks/schemas/delivery.ts'
import type { Webhook } from '../areas/apps/webhooks/schemas/webhook.ts'
import type { Plant } from '../areas/plants/schemas.ts'
import type { Account, Key } from '../core/accounts/accounts.ts'
import type { Records } from '../core/store/records.ts'
import type { definitions, RecordOf } from './catalogue.ts'

/** What a record of each collection is. */
export interface RecordTypes {
  accounts: Account
  keys: Key
  plants: Plant
  apps: App
  /** The end users of apps. */
  users: User
  conversations: Conversation
  messages: Message
  webhooks: Webhook
  deliveries: Delivery
  deployments: Deployment
  subscriptions: Subscription
  credits: Credits
  purchases: Purchase
}

/** The records of a world by collection, to arrange and to look at. */
export type WorldRecords = { readonly [Name in keyof RecordTypes]: Records<RecordTypes[Name]> }

/** The records that a world starts with, collection by collection, in place of the fixtures'. */
export type StartRecords = { readonly [Name in keyof RecordTypes]?: readonly RecordTypes[Name][] }

type Defined = { [Name in keyof typeof definitions]: RecordOf<Name> }

/** Does not compile where a collection is missing above, is too many, or has records of another type. @internal */
export const areComplete: [Defined, RecordTypes] extends [RecordTypes, Defined] ? true : never = true
