import type * as z from 'zod/mini'
import type { Effect } from '../core/pipeline/exchange.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'
import type { Activation } from './activation.ts'

/** What a fault does, at which step. */
export type FaultSteps = Pick<Effect, 'respond' | 'distort' | 'wireFault'> & {
  /** Called as a request that it acts on arrives, so that what it draws follows the order of arrival. */
  arrive?(exchange: Exchange): void
}

/** One way in which a reply goes wrong: what a file says of it besides the conditions, and what it does. */
export interface FaultKind<Fields extends z.core.$ZodLooseShape = z.core.$ZodLooseShape> {
  readonly kind: string
  readonly fields: Fields
  /** What must hold of the fields together; returns what is wrong. */
  check?(spec: z.output<z.ZodMiniObject<Fields>>): string | undefined
  /** @param id what the fault is called: `fault.0`. */
  create(spec: z.output<z.ZodMiniObject<Fields>>, activation: Activation, id: string): FaultSteps
}

/** Declares a fault. */
export function defineFault<Fields extends z.core.$ZodLooseShape>(kind: FaultKind<Fields>): FaultKind {
  return kind as unknown as FaultKind
}
