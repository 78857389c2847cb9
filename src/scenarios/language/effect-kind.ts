import * as z from 'zod/mini'
import type { Contract } from '../../core/pipeline/area.ts'
import type { EffectDecision } from '../../core/journal/journal-record.ts'
import type { Effect, EffectActions, MatchedExchange } from '../../core/pipeline/effect.ts'
import { globFilter } from '../../core/text/values.ts'
import { noReply, type Reply, type Wire, type WireEnd } from '../../core/http/reply.ts'
import {
  conditions,
  createCountedCheck,
  createPreview,
  createTrigger,
  limitConditions,
} from './condition.ts'
import type { Activation, ActsOn, ConditionName, Conditions } from './condition.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { described, optional } from '../../core/contract/zod.ts'

/** A member of scenario files, such as `fault`, with all items of its list. */
export interface EffectKind<Spec = unknown> {
  readonly name: string
  readonly schema: z.ZodMiniType<Spec>
  check(spec: Spec, contract: Contract): readonly Finding[]
  /** Returns the areas that it acts on, `payments` and `webhooks` among them. */
  reach(spec: Spec, contract: Contract): readonly string[]
  readonly narrowedBy?: NarrowedBy
  create(spec: Spec, activation: Activation): Effect[]
}

/** The conditions that an effect takes, if not all, and the reason as the end of a sentence. */
interface NarrowedBy {
  readonly conditions: readonly ConditionName[]
  readonly why: string
}

export type ParsedEffects = readonly {
  readonly kind: EffectKind
  readonly spec: unknown
}[]

interface ItemContext {
  readonly activation: Activation
  readonly id: string
  /**
   * Counts one occasion that is not a request, such as a delivery, and decides whether the item
   * acts on it.
   */
  count(): EffectDecision
}

/** The work of one item at each step of a request. */
interface Steps extends EffectActions {
  /** Called when a matching request arrives, so that random draws follow the order of arrival. */
  arrive?(exchange: MatchedExchange): void
}

type EffectShape = z.core.$ZodLooseShape
type Item<Fields extends EffectShape> = z.output<z.ZodMiniObject<Fields>> & Conditions

/** One item of an effect's list: its fields, its check, and what it does. */
interface ItemKind<Fields extends EffectShape> {
  readonly name: string
  readonly description: string
  /**
   * What an item without `on` acts on; or a function that decides for each request, instead of the
   * conditions `on` and `where`.
   */
  readonly actsOn: ActsOn | ((exchange: MatchedExchange) => EffectDecision)
  readonly fields: Fields
  /**
   * Returns what no shape expresses: a message about the whole item, or findings with paths below
   * it.
   */
  check?(spec: Item<Fields>, contract: Contract): string | readonly Finding[] | undefined
  /** Without it, an item reaches the areas whose operations it names. */
  reach?(spec: Item<Fields>, contract: Contract): readonly string[]
  readonly narrowedBy?: NarrowedBy
  create(spec: Item<Fields>, context: ItemContext): Steps
}

/**
 * Declares an effect by one item of its list. @param item the schema of an item that has several
 * shapes
 */
export function defineEffect<Fields extends EffectShape>(
  kind: ItemKind<Fields>,
  item?: z.ZodMiniType,
): EffectKind {
  const { name, description, actsOn, narrowedBy, fields, reach = reachOfItem } = kind
  const ownConditions = typeof actsOn === 'function' ? limitConditions : conditions
  const shape = z.strictObject({ ...fields, ...ownConditions })
  const listKind: EffectKind<readonly Item<Fields>[]> = {
    name,
    schema: described(z.array(item ?? shape), description) as never,
    narrowedBy,
    check: (specs, contract) =>
      specs.flatMap((spec, index) => {
        const wrong = kind.check?.(spec, contract) ?? []
        const findings = typeof wrong === 'string' ? [{ path: [], message: wrong }] : wrong
        return findings.map(({ path, message }) => ({
          path: [index, ...path],
          message,
        }))
      }),
    reach: (specs, contract) => specs.flatMap((spec) => reach(spec, contract)),
    create: (specs, activation) =>
      specs.map((spec, index) => createEffect(kind, spec, activation, `${name}.${index}`)),
  }
  return listKind
}

function createEffect<Fields extends EffectShape>(
  { actsOn, create }: ItemKind<Fields>,
  spec: Item<Fields>,
  activation: Activation,
  id: string,
): Effect {
  const counter = activation.counter(id)
  const count = createCountedCheck(spec, counter)
  const decide = typeof actsOn === 'function' ? actsOn : createTrigger(spec, count, actsOn)
  const { arrive, ...steps } = create(spec, {
    activation,
    id,
    count,
  })
  return {
    scenario: activation.scenario,
    id,
    kind: (spec as { readonly kind?: string }).kind,
    decide: arrive ? withArrival(decide, arrive) : decide,
    wouldAct: createPreview(spec, counter),
    isCounting: limitNames.some((name) => spec[name] !== undefined),
    isUsedUp: () => spec.times !== undefined && counter.acted >= spec.times,
    ...steps,
  }
}

function reachOfItem({ on }: Conditions, { areas }: Contract): string[] {
  const reached = areas.filter(({ operations }) => operations.some(({ id }) => globFilter(on)(id)))
  return reached.map(({ name }) => name)
}

const limitNames = Object.keys(limitConditions) as (keyof typeof limitConditions)[]

type Decide = NonNullable<Effect['decide']>

function withArrival(decide: Decide, arrive: (exchange: MatchedExchange) => void): Decide {
  return (exchange, sender) => {
    const decision = decide(exchange, sender)
    if (decision.due) arrive(exchange)
    return decision
  }
}

export interface FaultKind<Fields extends EffectShape = EffectShape> {
  readonly kind: string
  readonly description: string
  /** The description for the log and the journal, in the past tense: 'cut the body short'. */
  readonly did: string | ((exchange: MatchedExchange) => string)
  readonly fields: Fields
  check?(spec: z.output<z.ZodMiniObject<Fields>>): string | undefined
  create(spec: z.output<z.ZodMiniObject<Fields>>, activation: Activation, id: string): Steps
}

export function defineFault<Fields extends EffectShape>(
  kind: FaultKind<Fields>,
): FaultKind<Fields> {
  return kind
}

/**
 * What is lost when no reply arrives: the request, before the service does the work; or the reply,
 * after the work.
 */
export const loses = optional(
  z.enum(['request', 'reply']),
  'What is lost: the request, before the operation runs (the default), or the reply, after it ran.',
)

/** Returns the steps of a fault without a reply. @param instead how the connection ends */
export function noReplySteps(lost: z.infer<typeof loses>, instead: WireEnd, toWire?: () => Wire) {
  const lose = () => noReply(instead, toWire?.())
  const isForEveryHost = instead === 'timeout' || instead === 'network-error'
  const wireFault = isForEveryHost ? undefined : instead
  if (lost === 'reply')
    return {
      transformReply: lose,
      wireFault,
    }
  return {
    respond: lose,
    wireFault,
  }
}

export type ChangePieces = (
  pieces: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
) => AsyncIterable<Uint8Array>

/** Changes the pieces in which a reply is sent; by default it is one piece. */
export function withPieces(reply: Reply, change: ChangePieces): Reply {
  const { pieces = inOnePiece } = reply.wire ?? {}
  return {
    ...reply,
    wire: {
      ...reply.wire,
      pieces: (body, signal, gap) => change(pieces(body, signal, gap), signal),
    },
  }
}

async function* inOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
}

/**
 * Sets headers of a reply, whatever the case of their names. A list is a header that is sent
 * several times.
 */
export function setHeaders(
  reply: Reply,
  added: Readonly<Record<string, string | readonly string[]>> = {},
): Reply {
  // Names in the same case, as most are, keep their places.
  const others = Object.keys(added).filter((name) => !Object.hasOwn(reply.headers, name))
  const headers = withoutHeaders(reply.headers, others)
  let { several } = reply
  for (const [name, value] of Object.entries(added)) {
    headers[name] = [value].flat().join(', ')
    if (typeof value !== 'string')
      several = {
        ...several,
        [name]: value,
      }
  }
  return {
    ...reply,
    headers,
    several,
  }
}

export function withoutHeaders(
  own: Reply['headers'],
  names: readonly string[],
): Record<string, string> {
  const excluded = names.map((name) => name.toLowerCase())
  const kept = Object.entries(own).filter(([name]) => !excluded.includes(name.toLowerCase()))
  return Object.fromEntries(kept)
}
