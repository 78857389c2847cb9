import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'

export const platforms = ['web', 'ios', 'android', 'api'] as const

/** The body of `POST /v1/apps/{app_id}/conversations`. Give the `user_id` of a known user, the e-mail address of any user, or neither. */
export const newConversationSchema = z.object({
  user_id: z.optional(z.nullable(z.string().check(z.minLength(1)))),
  user: z.optional(z.nullable(z.object({ email: z.email(), name: z.optional(z.string()) }))),
  platform: z.optional(z.enum(platforms)),
})

/** A conversation is active until it is ended. */
export const statuses = ['active', 'ended'] as const

/** A conversation, as replies and events carry it. */
export const conversationSchema = z.object({
  /** `conv_` and 16 characters. */
  id: z.string(),
  app_id: z.string(),
  /** `null` when the user is not logged in. */
  user_id: z.nullable(z.string()),
  status: z.enum(statuses),
  /** Where the user chats with the app. */
  platform: z.enum(platforms),
  message_count: z.int().check(z.nonnegative()),
  created_at: z.iso.datetime(),
  /** `null` while there is no message. */
  last_message_at: z.nullable(z.iso.datetime()),
  /** `null` while the conversation is active. */
  ended_at: z.nullable(z.iso.datetime()),
})

const conversationRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  user: z.nullable(z.string()),
  platform: z.enum(platforms),
  created_at: storedTime,
  ended_at: z.optional(storedTime),
})

/** A stored conversation with an app. */
export interface Conversation {
  /** `conv_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The app's id. */
  app: string
  /** The user's id; `null` without a login. */
  user: string | null
  /** Where the user chats with the app. */
  platform: (typeof platforms)[number]
  /** In milliseconds since 1970. */
  created_at: number
  /** When it ended, in milliseconds since 1970; absent while it is active. */
  ended_at?: number | undefined
}

export const conversations: CollectionDefinition<Conversation> = declareCollection({
  name: 'conversations',
  schema: conversationRecordSchema,
  fixture: {
    schema: z.strictObject({
      ...conversationRecordSchema.shape,
      created_at: fixtureTime,
      ended_at: z.optional(fixtureTime),
    }),
    toRecord: ({ created_at, ended_at, ...conversation }, now) => ({
      ...conversation,
      created_at: toFixtureTimestamp(created_at, now),
      ...(ended_at !== undefined && { ended_at: toFixtureTimestamp(ended_at, now) }),
    }),
  },
  key: (conversation) => conversation.id,
  owner: (conversation) => conversation.account,
  parent: (conversation) => conversation.app,
  refers: { app: 'apps', user: 'users' },
  writtenWith: ['apps', 'users'],
})
