import * as z from 'zod/mini'
import type { Contract } from '../core/pipeline/contract.ts'
import type { Decision } from '../core/pipeline/decision.ts'
import type { Effect, Exchange } from '../core/pipeline/exchange.ts'
import type { Activation } from './activation.ts'
import { conditions, limits, type Conditions } from './condition.ts'
import type { Finding } from './finding.ts'
import { createCount, createForesight, createTrigger, type ActsOn } from './trigger.ts'

/** One kind of effect: the member of a scenario file that asks for it, its shape, and what it does. */
export interface EffectKind<Spec = unknown, Fields = unknown> {
  readonly name: string
  /** What an item says besides the conditions, for the compiler alone. */
  readonly fields?: Fields
  readonly schema: z.ZodMiniType<Spec>
  /** What is wrong with a member that has the right shape; without this, nothing. */
  check?(spec: Spec, contract: Contract): Finding[]
  /** On what it can act: names of areas, or `webhooks`. Without this, on the operations that its items' `on` names. */
  reach?(spec: Spec, contract: Contract): readonly string[]
  /** Makes the effects that a valid member asks for. */
  create(spec: Spec, activation: Activation): Effect[]
}

/** What an item gets when its scenario is switched on. */
export interface ItemContext {
  readonly activation: Activation
  /** What the effect is called: `fault.0`. */
  readonly id: string
  /** Counts one thing that the item may act on, other than a request, and decides whether it does. */
  count(): Decision
}

/** What an item does, by step. Its name and its conditions are added by `defineEffect`. */
export type Steps = Omit<Effect, 'scenario' | 'id' | 'decide' | 'foresees'> & {
  /** Called as a request that it acts on arrives, so that what it draws follows the order of arrival. */
  arrive?(exchange: Exchange): void
}

type Schema<Spec> = z.ZodMiniType<Spec>

/** A kind of effect whose member is a list: what one item of it says, and what it does. */
interface ItemKind<Spec> {
  readonly name: string
  /** What an editor tells of the member. */
  readonly description: string
  /** What it acts on without the condition `on`; or a function that decides in place of the conditions `on` and `where`, which are then not accepted. */
  readonly actsOn: ActsOn | ((exchange: Exchange) => Decision)
  /** What is wrong with an item that has the right shape. */
  check?(spec: Spec, contract: Contract): Finding[]
  /** On what an item can act. */
  reach?(spec: Spec, contract: Contract): readonly string[]
  create(spec: Spec, context: ItemContext): Steps
}

/** Something that must hold of the fields of an item together. */
interface Rule<Spec> {
  holds(spec: Spec): boolean
  /** The message when it does not hold. */
  readonly message: string
  /** The field that is wrong, where it is one. */
  readonly field?: string
}

type Shape = z.core.$ZodLooseShape
type Item<Fields extends Shape> = z.output<z.ZodMiniObject<Fields>> & Conditions

/**
 * Declares a kind of effect by one item of its list. Adds the list, the conditions and the refusal of unknown fields to its
 * schema, and a name, a decision and a count to its steps.
 */
export function defineEffect<Fields extends Shape>(
  kind: ItemKind<Item<Fields>> & {
    /** The fields of an item besides the conditions. */
    readonly fields: Fields
    /** What must hold of the fields together. */
    readonly rules?: readonly Rule<Item<Fields>>[]
  },
): EffectKind<unknown, z.input<z.ZodMiniObject<Fields>>> {
  const shape = { ...kind.fields, ...(typeof kind.actsOn === 'function' ? limits : conditions) }
  const rules = (kind.rules ?? []).map(({ holds, message, field }) =>
    z.refine((spec) => holds(spec as Item<Fields>), { error: message, ...(field !== undefined && { path: [field] }) }),
  )
  const whole: EffectKind<unknown, never> = defineItems(kind, z.strictObject(shape).check(...rules) as never)
  return whole
}

/** The same for items of several shapes: `item` is the schema of one, conditions included. */
export function defineItems<Spec extends Conditions>(
  kind: ItemKind<Spec>,
  item: Schema<Spec>,
): EffectKind<unknown, never> {
  const { name, description, actsOn } = kind
  const whole: EffectKind<readonly Spec[]> = {
    name,
    schema: z.array(item).check(z.describe(description)),
    check: (specs, contract) =>
      specs.flatMap((spec, place) =>
        (kind.check?.(spec, contract) ?? []).map(({ path, message }) => ({ path: [place, ...path], message })),
      ),
    ...(kind.reach && { reach: (specs, contract) => specs.flatMap((spec) => kind.reach!(spec, contract)) }),
    create: (specs, activation) =>
      specs.map((spec, place): Effect => {
        const id = `${name}.${place}`
        const counter = activation.counter(id)
        const decide = typeof actsOn === 'function' ? actsOn : createTrigger(spec, counter, actsOn)
        const { arrive, ...steps } = kind.create(spec, { activation, id, count: createCount(spec, counter) })
        return {
          scenario: activation.scenario,
          id,
          decide: arrive ? withArrival(decide, arrive) : decide,
          foresees: createForesight(spec, counter),
          ...(spec.times !== undefined && { isUsedUp: () => counter.acted >= spec.times! }),
          ...steps,
        }
      }),
  }
  return whole as EffectKind<unknown, never>
}

/** Declares a kind of effect whose member is no list of items. */
export function defineMember<Spec>(kind: EffectKind<Spec>): EffectKind {
  return kind as EffectKind
}

type Decide = NonNullable<Effect['decide']>

function withArrival(decide: Decide, arrive: (exchange: Exchange) => void): Decide {
  return (exchange, sender) => {
    const decision = decide(exchange, sender)
    if (decision.due) arrive(exchange)
    return decision
  }
}
