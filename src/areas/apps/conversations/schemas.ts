import * as z from 'zod/mini'
import { type CollectionDefinition, declareCollection } from '../../../core/store/collection.ts'
import { storedTime } from '../../../core/time/fixture-time.ts'
import { aboutAppSchema, userSchema } from '../users/schemas.ts'
import type { Conversation, Message } from '../../generated/records.ts'

export type { Conversation, Message }

const count = z.int().check(z.nonnegative())

export const platforms = ['web', 'ios', 'android', 'api'] as const

/**
 * The body of `POST /v1/apps/{app_id}/conversations`. Give the `user_id` of a known user, the
 * e-mail address of any user, or neither.
 */
export const newConversationSchema = z.object({
  user_id: z.optional(z.nullable(z.string().check(z.minLength(1)))),
  user: z.optional(
    z.nullable(
      z.object({
        email: z.email(),
        name: z.optional(z.string()),
      }),
    ),
  ),
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
  message_count: count,
  created_at: z.iso.datetime(),
  /** `null` while there is no message. */
  last_message_at: z.nullable(z.iso.datetime()),
  /** `null` while the conversation is active. */
  ended_at: z.nullable(z.iso.datetime()),
})

/** A stored conversation with an app. */
const conversationRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  /** The user's id; `null` without a login. */
  user: z.nullable(z.string()),
  /** Where the user chats with the app. */
  platform: z.enum(platforms),
  created_at: storedTime,
  /** When it ended; absent while it is active. */
  ended_at: z.optional(storedTime),
})

export const conversations: CollectionDefinition<Conversation> = declareCollection({
  name: 'conversations',
  schema: conversationRecordSchema,
  fixture: {},
  key: (conversation) => conversation.id,
  owner: (conversation) => conversation.account,
  parent: (conversation) => conversation.app,
  refers: {
    app: 'apps',
    user: 'users',
  },
  writtenWith: ['apps', 'users'],
})

/** The authors of messages. */
export const roles = ['user', 'assistant'] as const

/** The body of `POST …/messages`. */
export const newMessageSchema = z.object({
  content: z.string().check(z.minLength(1)),
  /** True to stream the app's answer as server-sent events. */
  stream: z.optional(z.boolean()),
})

/** A message of a conversation, as replies carry it. */
export const messageSchema = z.object({
  /** `msg_` and 16 characters. */
  id: z.string(),
  conversation_id: z.string(),
  role: z.enum(roles),
  content: z.string(),
  /**
   * The id of the message that this one answers; `null` for a user's message, and for an answer in
   * fixtures without it.
   */
  reply_to: z.nullable(z.string()),
  /** The cost of the message. */
  credits: count,
  created_at: z.iso.datetime(),
})

/** One word of a streamed message: the data of one event `message.delta` of the stream. */
export const messageDeltaSchema = z.object({
  id: z.string(),
  delta: z.object({ content: z.string() }),
})

/** A stored message of a conversation. */
const messageRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  conversation: z.string(),
  role: z.enum(roles),
  content: z.string(),
  /** The id of the message that this one answers; absent for a message of the user. */
  reply_to: z.optional(z.string()),
  /** Its price in credits. */
  credits: z.number(),
  created_at: storedTime,
})

export const messages: CollectionDefinition<Message> = declareCollection({
  name: 'messages',
  schema: messageRecordSchema,
  fixture: {
    fields: { credits: z.optional(count) },
    derive: ({ role }) => ({ credits: Number(role === 'assistant') }),
  },
  key: (message) => message.id,
  owner: (message) => message.account,
  parent: (message) => message.conversation,
  refers: { conversation: 'conversations' },
  writtenWith: ['conversations'],
})

/** A message of a user, with the app's answer: the data of `message.sent`. */
export const messageSentSchema = z.object({
  ...aboutAppSchema.shape,
  /** `null` when the user is not logged in. */
  user: z.nullable(userSchema),
  conversation: z.object({
    id: z.string(),
    message_count: count,
    last_message: z.string(),
    ai_response: z.string(),
  }),
  metadata: z.object({
    /** In seconds. */
    session_duration: count,
    platform: z.enum(platforms),
  }),
})

/** The balance fell to `threshold` credits: the data of `condition.met`. */
export const conditionMetSchema = z.object({
  ...aboutAppSchema.shape,
  condition: z.object({
    name: z.literal('credits_low'),
    threshold: count,
    balance: count,
  }),
})

/** A conversation that ended: the data of `conversation.ended`. */
export const conversationEndedSchema = z.object({
  ...aboutAppSchema.shape,
  conversation: conversationSchema,
})
