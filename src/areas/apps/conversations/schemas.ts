import * as z from 'zod/mini'
import { defineCollection, type CollectionDefinition } from '../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../core/time/fixture-time.ts'

/** What a conversation is held through. */
export const platforms = ['web', 'ios', 'android', 'api'] as const

/** What starts a conversation: with a user that is known, with one by e-mail address, or with nobody in particular. */
export const newConversationSchema = z.object({
  user_id: z.optional(z.nullable(z.string().check(z.minLength(1)))),
  user: z.optional(z.nullable(z.object({ email: z.email(), name: z.optional(z.string()) }))),
  platform: z.optional(z.enum(platforms)),
})

/** A conversation goes on until it is ended. */
export const statuses = ['active', 'ended'] as const

/** Who says something. */
export const roles = ['user', 'assistant'] as const

/** A conversation as replies show it. */
export const conversationSchema = z.object({
  id: z.string(),
  app_id: z.string(),
  user_id: z.nullable(z.string()),
  status: z.enum(statuses),
  platform: z.enum(platforms),
  message_count: z.int().check(z.nonnegative()),
  created_at: z.iso.datetime(),
  last_message_at: z.nullable(z.iso.datetime()),
  ended_at: z.nullable(z.iso.datetime()),
})

/** What a client says. */
export const newMessageSchema = z.object({
  content: z.string().check(z.minLength(1)),
  stream: z.optional(z.boolean()),
})

/** A message as replies show it. */
export const messageSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  role: z.enum(roles),
  content: z.string(),
  /** The message that it answers; `null` of what a user says, and of answers that fixtures leave it out of. */
  reply_to: z.nullable(z.string()),
  credits: z.int().check(z.nonnegative()),
  created_at: z.iso.datetime(),
})

/** A conversation as the store keeps it: times are in milliseconds since 1970. */
export const conversationRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  /** The end user who takes part; `null` when nobody logged in. */
  user: z.nullable(z.string()),
  platform: z.enum(platforms),
  created_at: storedTime,
  ended_at: z.optional(storedTime),
})

/** A conversation with an app as the store keeps it. */
export interface Conversation {
  /** `conv_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The app's id. */
  app: string
  /** The end user who takes part; `null` when nobody logged in. */
  user: string | null
  /** Where the user talks to the app. */
  platform: (typeof platforms)[number]
  /** In milliseconds since 1970. */
  created_at: number
  /** When it ended, in milliseconds since 1970; absent while it goes on. */
  ended_at?: number | undefined
}

export const conversations: CollectionDefinition<Conversation> = defineCollection({
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
  goesWith: ['apps', 'users'],
})

/** A message as the store keeps it. */
export const messageRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  conversation: z.string(),
  role: z.enum(roles),
  content: z.string(),
  /** The message that it answers. */
  reply_to: z.optional(z.string()),
  /** How many credits it cost. */
  credits: z.number(),
  created_at: storedTime,
})

/** A message of a conversation, as the store keeps it. */
export interface Message {
  /** `msg_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The conversation's id. */
  conversation: string
  role: 'user' | 'assistant'
  content: string
  /** The id of the message that this one answers; absent for a message of the user. */
  reply_to?: string | undefined
  /** How many credits it cost. */
  credits: number
  /** In milliseconds since 1970. */
  created_at: number
}

export const messages: CollectionDefinition<Message> = defineCollection({
  name: 'messages',
  schema: messageRecordSchema,
  fixture: {
    /** Without `credits` an answer costs one, and what a user says none. */
    schema: z.strictObject({
      ...messageRecordSchema.shape,
      credits: z.optional(z.int().check(z.nonnegative())),
      created_at: fixtureTime,
    }),
    toRecord: ({ created_at, credits, ...message }, now) => ({
      ...message,
      credits: credits ?? (message.role === 'assistant' ? 1 : 0),
      created_at: toFixtureTimestamp(created_at, now),
    }),
  },
  key: (message) => message.id,
  owner: (message) => message.account,
  parent: (message) => message.conversation,
  refers: { conversation: 'conversations' },
  goesWith: ['conversations'],
})
