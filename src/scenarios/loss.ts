import * as z from 'zod/mini'
import { noReply, type Wire, type WireEnd } from '../core/http/reply.ts'
import type { FaultSteps } from './fault-kind.ts'

/** What is lost when no reply arrives: the request, before the service does the work; or the reply, after the work. */
export const loses = z
  .optional(z.enum(['request', 'reply']))
  .check(z.describe('What is lost: the request, before the operation runs (the default), or the reply, after it ran.'))

export function noReplySteps(
  lost: z.infer<typeof loses>,
  instead: WireEnd,
  toWire: () => Wire = () => ({}),
): FaultSteps {
  const lose = () => noReply(instead, toWire())
  return lost === 'reply' ? { transformReply: lose } : { respond: lose }
}
