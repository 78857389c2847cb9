import type * as z from 'zod/mini'
import type { Effect } from '../core/effect.ts'

/** What an effect is told when its scenario is switched on. */
export interface Activation {
  readonly scenario: string
  /** When, on the world's clock. */
  readonly now: number
}

/** One kind of effect: the member of a scenario file that asks for it, its shape, and what it does. */
export interface EffectKind<Spec = unknown> {
  readonly name: string
  readonly schema: z.ZodMiniType<Spec>
  /** Makes the effects that a valid member asks for. */
  create(spec: Spec, activation: Activation): Effect[]
}

/** Declares a kind of effect. */
export function defineEffect<Spec>(kind: EffectKind<Spec>): EffectKind {
  return kind as EffectKind
}
