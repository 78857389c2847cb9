import type { GreenhouseErrorCode } from '../text/error-codes.ts'
import type { Account, CallerSource } from '../accounts/accounts.ts'
import { recognizeAcrossBuilds } from '../contract/builds.ts'
import { withChoices } from '../contract/assumptions.ts'
import type { EffectName } from '../journal/journal-record.ts'
import {
  isInline,
  type ParsedChoice,
  findFreeName,
  toInlineName,
  parseChoice,
} from './scenario-choice.ts'
import type { Texts } from '../text/values.ts'

export const deliveryFaults = [
  'duplicate',
  'late',
  'out-of-order',
  'stale-timestamp',
  'bad-signature',
  'lost',
] as const

export interface DeliveryFault {
  readonly kind: (typeof deliveryFaults)[number]
  /** How late, or how old, in milliseconds; 0 for kinds without a time. */
  readonly by: number
}

export const chargeKinds = ['purchase', 'upgrade', 'renewal'] as const

export type ChargeKind = (typeof chargeKinds)[number]

export const chargeOutcomes = ['declined', 'fails-later'] as const

export type ChargeOutcome = (typeof chargeOutcomes)[number]

/** The work of an effect in a world without a request. */
export interface LayerActions {
  /** True if what it does depends on the requests before. */
  readonly isCounting?: boolean
  /** The fault that only a host with connections can produce. */
  readonly wireFault?: string
  /** Returns whether it has acted as often as it may. */
  isUsedUp?(): boolean
  /** The assumptions that it sets, by id. */
  readonly assumptions?: Texts
  deliver?(type: string): DeliveryFault | undefined
  charge?(charge: Charge): ChargeOutcome | undefined
}

/**
 * What an active scenario does in a world, whatever the request. Its effects on requests belong to
 * the pipeline.
 */
export interface LayerEffect extends EffectName, LayerActions {}

/** A payment that an effect may let fail. */
interface Charge {
  readonly kind: ChargeKind
  readonly account: Readonly<Account>
}

/** An effect that decides about charges. */
export interface ChargeEffect extends LayerEffect {
  charge(charge: Charge): ChargeOutcome | undefined
}

/** A scenario that is switched on, in a world or for one request. */
export interface LiveScenario extends ParsedChoice {
  /** The name and the options that differ from their defaults: `rate-limited-plan:window=day`. */
  readonly text: string
  readonly effects: readonly LayerEffect[]
  readonly bytes: number
  /** True if other requests may reuse it: it reads no time and keeps nothing for one request. */
  readonly isReusable: boolean
  /** Returns a copy that goes on from the same state. */
  fork(): LiveScenario
}

export function toChoice({ name, options, inline }: LiveScenario): object {
  return inline ? inline.data : { name, ...options }
}

/** The state of an effect between requests. */
export interface EffectState<T = unknown> {
  readonly bytes: number
  clone(): T
}

export interface ActivationContext {
  readonly now: number
  readonly seed: number
  /** The states that outlive this activation, as a header names the scenario for each request. */
  readonly persistentStates?: Map<string, EffectState>
}

export interface ScenarioSource {
  activate(scenario: ParsedChoice, context: ActivationContext, callers?: CallerSource): LiveScenario
  /**
   * Reads an inline scenario. @param toName returns a name for a scenario without a title. @throws
   * InlineScenarioError if the scenario is invalid.
   */
  readInline(given: object, toName: () => string): ParsedChoice
  has(name: string): boolean
  assertKnown(name: string, purpose: string, others: readonly string[]): void
}

/** The scenarios and assumptions that apply to a request, or to a world without one. */
export interface EffectiveSettings {
  readonly scenarioNames: readonly string[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly effects: readonly LayerEffect[]
  /** The names of the effects, for holders that must not keep the effects alive. */
  readonly effectNames: readonly EffectName[]
  /** The effects that set an assumption to another value than the world's, by its id. */
  readonly switchedBy: ReadonlyMap<string, LayerEffect>
  /**
   * Sets of effects that act together, by their indexes as bits. The pipeline caches them here, so
   * that requests with the same effects share one.
   */
  readonly matchedByBits: Map<number, object>
}

export function createEffectiveSettings(
  scenarios: readonly LiveScenario[],
  assumptions: ReadonlyMap<string, string>,
): EffectiveSettings {
  const effects = scenarios.flatMap((scenario) => scenario.effects)
  const scenarioNames = [...new Set(scenarios.map(({ name }) => name))]
  const effectNames = effects.map(({ scenario, id, kind, isCounting }) => ({
    scenario,
    id,
    kind,
    isCounting,
  }))
  const choices = effects.flatMap((effect) => Object.entries(effect.assumptions ?? {}))
  const inForce = withChoices(assumptions, choices)
  const switchedBy = new Map<string, LayerEffect>()
  for (const effect of effects) for (const id in effect.assumptions) switchedBy.set(id, effect)
  // Setting an assumption to the value that it has already is not a change.
  for (const id of switchedBy.keys())
    if (inForce.get(id) === assumptions.get(id)) switchedBy.delete(id)
  return {
    scenarioNames,
    effects,
    effectNames,
    matchedByBits: new Map(),
    assumptions: inForce,
    switchedBy,
  }
}

export class UnsupportedFaultError extends RangeError {
  override name = 'UnsupportedFaultError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_UNSUPPORTED_FAULT'

  constructor(scenario: string, why: string) {
    super(`Failed to use the scenario "${scenario}": ${why}`)
  }
}

recognizeAcrossBuilds(UnsupportedFaultError, 'UnsupportedFaultError')

export class UnknownScenarioError extends RangeError {
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_UNKNOWN_SCENARIO'
}

recognizeAcrossBuilds(UnknownScenarioError, 'UnknownScenarioError')

export class RejectedOptionError extends RangeError {
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_INVALID_SCENARIO'
  readonly scenario: string
  readonly options: readonly string[]
  readonly reason: string

  constructor(message: string, scenario: string, options: readonly string[], reason: string) {
    super(message)
    this.scenario = scenario
    this.options = options
    this.reason = reason
  }
}

recognizeAcrossBuilds(RejectedOptionError, 'RejectedOptionError')

/** Reads choices of scenarios, and gives inline scenarios without a title a free name. */
export function parseChoices(
  choices: readonly unknown[],
  library: ScenarioSource,
  takenNames: Iterable<string> = [],
): ParsedChoice[] {
  const names = new Set(takenNames)
  // Titles come first: a name that is found for another scenario must not be one of them.
  for (const choice of choices) {
    const title = isInline(choice) ? (choice as { title?: unknown }).title : undefined
    if (typeof title === 'string') names.add(toInlineName(title))
  }
  return choices.map((choice) => {
    if (!isInline(choice)) return parseChoice(choice)
    const scenario = library.readInline(choice, () =>
      findFreeName(names, (name) => library.has(name)),
    )
    names.add(scenario.name)
    return scenario
  })
}

/** The parts with which scenarios are switched on. */
export interface ScenarioEnvironment {
  readonly library: ScenarioSource
  /** The hosts that must be able to produce their faults. */
  readonly hosts: ReadonlySet<string>
  /** Has the accounts and keys that scenarios may name. Without it, their names are not checked. */
  readonly callers?: CallerSource
}

export function activate(
  { library, hosts, callers }: ScenarioEnvironment,
  chosen: ParsedChoice,
  context: ActivationContext,
): LiveScenario {
  const scenario = library.activate(chosen, context, callers)
  for (const host of hosts) assertProducible(scenario, host)
  return scenario
}

/** The kinds of effects that change the mock's own state. */
const changesMockState = /^(?:records|payments|deliver|assume|account)\b/

/** @param host a host without connections, or the origin of a real service */
export function assertProducible(scenario: LiveScenario, host: string): void {
  const why = explainRejection(scenario, host)
  if (why !== undefined) throw new UnsupportedFaultError(scenario.name, why)
}

/** Returns why a host can't produce a scenario; nothing if it can. */
export function explainRejection({ effects }: LiveScenario, host: string): string | undefined {
  // An origin is that of a real service, which keeps a state of which the mock knows nothing.
  if (host.startsWith('http')) {
    const wrong = effects.find(({ id }) => changesMockState.test(id))
    return (
      wrong &&
      `its effect "${wrong.id.split('.', 1)[0]}" needs the state of the mock, and ${host} answers with another. Forward only some operations (proxy: { only: … }), or use the scenario without the proxy.`
    )
  }
  const fault = effects.find(({ wireFault }) => wireFault !== undefined)?.wireFault
  return (
    fault &&
    `${host} can't produce the fault "${fault}", which needs a connection of its own. Use serve() with a Greenhouse that has no handlers, or a fault that every adapter can produce, such as network-error or timeout.`
  )
}
