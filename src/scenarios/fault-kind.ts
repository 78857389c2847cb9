import type * as z from 'zod/mini'
import type { Exchange } from '../core/pipeline/exchange.ts'
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
