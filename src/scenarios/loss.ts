import * as z from 'zod/mini'
import { noReply, type Wire, type WireEnd } from '../core/http/reply.ts'
import type { FaultSteps } from './fault-kind.ts'

/** What is lost when no reply arrives: the request, so nothing was done; or the reply, so the service did the work and the client cannot know. */
export const loses = z
  .optional(z.enum(['request', 'reply']))
  .check(z.describe('What is lost: the request, before the operation runs (the default), or the reply, after it ran.'))

/** Returns the step of a fault without a reply. */
export function toLoss(lost: z.infer<typeof loses>, instead: WireEnd, toWire: () => Wire = () => ({})): FaultSteps {
  const lose = () => noReply(instead, toWire())
  return lost === 'reply' ? { distort: lose } : { respond: lose }
}
