import * as z from 'zod/mini'
import { noReply, type Wire, type WireEnd } from '../../core/http/reply.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Activation } from './activation.ts'
import type { Steps } from './effect-kind.ts'

export type FaultSteps = Pick<Steps, 'respond' | 'transformReply' | 'wireFault' | 'arrive'>

export interface FaultKind<Fields extends z.core.$ZodLooseShape = z.core.$ZodLooseShape> {
  readonly kind: string
  readonly description: string
  /** The description for the log and the journal, in the past tense: 'cut the body short'. */
  readonly act: string | ((exchange: Exchange) => string)
  readonly fields: Fields
  check?(spec: z.output<z.ZodMiniObject<Fields>>): string | undefined
  create(spec: z.output<z.ZodMiniObject<Fields>>, activation: Activation, id: string): FaultSteps
}

export function defineFault<Fields extends z.core.$ZodLooseShape>(kind: FaultKind<Fields>): FaultKind<Fields> {
  return kind
}

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
