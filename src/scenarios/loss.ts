import * as z from 'zod/mini'
import { noReply, type Wire, type WireEnd } from '../core/http/reply.ts'
import type { FaultSteps } from './fault-kind.ts'

/**
 * Which of the two is lost where no reply arrives: the request, so that nothing was done, or the reply, so that the service
 * did it and the client can't know.
 */
export const loses = z
  .optional(z.enum(['request', 'reply']))
  .check(z.describe('What is lost: the request, before the operation runs (the default), or the reply, after it ran.'))

/** The step of a fault after which no reply arrives. */
export function toLoss(lost: z.infer<typeof loses>, instead: WireEnd, toWire: () => Wire = () => ({})): FaultSteps {
  const lose = () => noReply(instead, toWire())
  return lost === 'reply' ? { distort: lose } : { respond: lose }
}
