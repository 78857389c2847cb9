import * as z from 'zod/mini'
import { userSchema } from '../../users/schemas.ts'
import { conversationSchema, platforms } from './conversation.ts'

const count = z.int().check(z.nonnegative())

/** The data of `message.sent`. */
export const messageSentSchema = z.object({
  app_id: z.string(),
  app_name: z.string(),
  user: z.nullable(userSchema),
  conversation: z.object({ id: z.string(), message_count: count, last_message: z.string(), ai_response: z.string() }),
  metadata: z.object({ session_duration: count, platform: z.enum(platforms) }),
})

/** The data of `condition.met`. */
export const conditionMetSchema = z.object({
  app_id: z.string(),
  app_name: z.string(),
  condition: z.object({ name: z.literal('credits_low'), threshold: count, balance: count }),
})

/** The data of `conversation.ended`. */
export const conversationEndedSchema = z.object({
  app_id: z.string(),
  app_name: z.string(),
  conversation: conversationSchema,
})
