import type * as z from 'zod/mini'
import type { Exchange } from '../core/pipeline/exchange.ts'
import type { Activation } from './activation.ts'
import type { Steps } from './effect-kind.ts'

/** The implementation of a fault, by step. */
export type FaultSteps = Pick<Steps, 'respond' | 'transformReply' | 'wireFault' | 'arrive'>

/** A kind of fault: its fields in a file, without the conditions, and its implementation. */
export interface FaultKind<Fields extends z.core.$ZodLooseShape = z.core.$ZodLooseShape> {
  readonly kind: string
  /** The effect on a reply, for editors and the documentation. */
  readonly description: string
  /** The description for the log and the journal, in the past tense: 'cut the body short'. */
  readonly act: string | ((exchange: Exchange) => string)
  /** Its fields in a file, each with a description. */
  readonly fields: Fields
  /** Checks several fields together. Returns a message if they are wrong. */
  check?(spec: z.output<z.ZodMiniObject<Fields>>): string | undefined
  /** @param id the id of the fault: `fault.0`. */
  create(spec: z.output<z.ZodMiniObject<Fields>>, activation: Activation, id: string): FaultSteps
}

export function defineFault<Fields extends z.core.$ZodLooseShape>(kind: FaultKind<Fields>): FaultKind<Fields> {
  return kind
}
