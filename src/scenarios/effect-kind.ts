import type * as z from 'zod/mini'
import type { Contract } from '../core/pipeline/contract.ts'
import type { Effect } from '../core/pipeline/exchange.ts'
import type { Activation } from './activation.ts'

/** Something that is wrong with a member of a scenario file though its shape is right, and where below the member. */
export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** One kind of effect: the member of a scenario file that asks for it, its shape, and what it does. */
export interface EffectKind<Spec = unknown> {
  readonly name: string
  readonly schema: z.ZodMiniType<Spec>
  /** What is wrong with a member that has the right shape; without this, nothing. */
  check?(spec: Spec, contract: Contract): Finding[]
  /** On what it can act: names of areas, or `webhooks`. Without this, on the operations that its items' `on` names. */
  reach?(spec: Spec, contract: Contract): readonly string[]
  /** Makes the effects that a valid member asks for. */
  create(spec: Spec, activation: Activation): Effect[]
}

/** Declares a kind of effect. */
export function defineEffect<Spec>(kind: EffectKind<Spec>): EffectKind {
  return kind as EffectKind
}
