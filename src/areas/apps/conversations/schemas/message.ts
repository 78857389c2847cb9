import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'

/** The authors of messages. */
export const roles = ['user', 'assistant'] as const

/** The body of `POST …/messages`. */
export const newMessageSchema = z.object({
  content: z.string().check(z.minLength(1)),
  /** Whether to stream the app's answer as server-sent events. */
  stream: z.optional(z.boolean()),
})

/** A message of a conversation, as replies carry it. */
export const messageSchema = z.object({
  /** `msg_` and 16 characters. */
  id: z.string(),
  conversation_id: z.string(),
  role: z.enum(roles),
  content: z.string(),
  /** The id of the message that this one answers; `null` for a user's message, and for an answer in fixtures without it. */
  reply_to: z.nullable(z.string()),
  /** The cost of the message. */
  credits: z.int().check(z.nonnegative()),
  created_at: z.iso.datetime(),
})

/** One word of a streamed message: the data of one event `message.delta` of the stream. */
export const messageDeltaSchema = z.object({ id: z.string(), delta: z.object({ content: z.string() }) })

const messageRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  conversation: z.string(),
  role: z.enum(roles),
  content: z.string(),
  reply_to: z.optional(z.string()),
  credits: z.number(),
  created_at: storedTime,
})

/** A stored message of a conversation. */
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
  /** Its price in credits. */
  credits: number
  /** In milliseconds since 1970. */
  created_at: number
}

export const messages: CollectionDefinition<Message> = declareCollection({
  name: 'messages',
  schema: messageRecordSchema,
  fixture: {
    /** `credits` defaults to 1 for an answer, and to 0 for a user's message. */
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
  writtenWith: ['conversations'],
})
