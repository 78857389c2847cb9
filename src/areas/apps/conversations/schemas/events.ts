import * as z from 'zod/mini'
import { aboutAppSchema, userSchema } from '../../users/schemas.ts'
import { conversationSchema, platforms } from './conversation.ts'

const count = z.int().check(z.nonnegative())

/** A message of a user, with the app's answer: the data of `message.sent`. */
export const messageSentSchema = z.object({
  ...aboutAppSchema.shape,
  /** `null` when the user is not logged in. */
  user: z.nullable(userSchema),
  conversation: z.object({ id: z.string(), message_count: count, last_message: z.string(), ai_response: z.string() }),
  metadata: z.object({
    /** In seconds. */
    session_duration: count,
    platform: z.enum(platforms),
  }),
})

/** The balance fell to `threshold` credits: the data of `condition.met`. */
export const conditionMetSchema = z.object({
  ...aboutAppSchema.shape,
  condition: z.object({ name: z.literal('credits_low'), threshold: count, balance: count }),
})

/** A conversation that ended: the data of `conversation.ended`. */
export const conversationEndedSchema = z.object({ ...aboutAppSchema.shape, conversation: conversationSchema })
