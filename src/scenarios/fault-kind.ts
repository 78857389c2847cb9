import type * as z from 'zod/mini'
import type { Exchange } from '../core/pipeline/exchange.ts'
import type { Activation } from './activation.ts'
import type { Steps } from './effect-kind.ts'

/** What a fault does, at which step. */
export type FaultSteps = Pick<Steps, 'respond' | 'distort' | 'wireFault' | 'arrive'>

/** One kind of fault: its fields in a file, without the conditions, and what it does. */
export interface FaultKind<Fields extends z.core.$ZodLooseShape = z.core.$ZodLooseShape> {
  readonly kind: string
  /** What happens to a reply, for editors and for the documentation. */
  readonly description: string
  /** What it did to a reply, for the log and the journal: 'cut the body short'. */
  readonly act: string | ((exchange: Exchange) => string)
  /** What a file says of it besides the kind and the conditions, each with a description. */
  readonly fields: Fields
  /** What must hold of the fields together; returns what is wrong. */
  check?(spec: z.output<z.ZodMiniObject<Fields>>): string | undefined
  /** @param id the id of the fault: `fault.0`. */
  create(spec: z.output<z.ZodMiniObject<Fields>>, activation: Activation, id: string): FaultSteps
}

/** Declares a fault. */
export function defineFault<Fields extends z.core.$ZodLooseShape>(kind: FaultKind<Fields>): FaultKind<Fields> {
  return kind
}
