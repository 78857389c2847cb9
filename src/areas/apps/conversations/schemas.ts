import * as z from 'zod/mini'
import { defineCollection } from '../../../core/collection.ts'
import { fixtureTime, toFixtureTimestamp } from '../../../core/fixture-time.ts'

/** A conversation as the store keeps it: times are in milliseconds since 1970. */
export const conversationRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  /** The end user that it is held with. */
  user: z.string(),
  platform: z.string(),
  created_at: z.number(),
  ended_at: z.optional(z.number()),
})

export type Conversation = z.infer<typeof conversationRecordSchema>

export const conversations = defineCollection({
  name: 'conversations',
  schema: conversationRecordSchema,
  fixture: {
    schema: z.strictObject({ ...conversationRecordSchema.shape, created_at: fixtureTime, ended_at: z.optional(fixtureTime) }),
    toRecord: ({ created_at, ended_at, ...conversation }, now) => ({
      ...conversation,
      created_at: toFixtureTimestamp(created_at, now),
      ...(ended_at !== undefined && { ended_at: toFixtureTimestamp(ended_at, now) }),
    }),
  },
  key: (conversation) => conversation.id,
  owner: (conversation) => conversation.account,
  parent: (conversation) => conversation.app,
})

/** A message as the store keeps it. */
export const messageRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  conversation: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  /** How many credits it cost. */
  credits: z.number(),
  created_at: z.number(),
})

export type Message = z.infer<typeof messageRecordSchema>

export const messages = defineCollection({
  name: 'messages',
  schema: messageRecordSchema,
  fixture: {
    schema: z.strictObject({ ...messageRecordSchema.shape, created_at: fixtureTime }),
    toRecord: ({ created_at, ...message }, now) => ({ ...message, created_at: toFixtureTimestamp(created_at, now) }),
  },
  key: (message) => message.id,
  owner: (message) => message.account,
  parent: (message) => message.conversation,
})
