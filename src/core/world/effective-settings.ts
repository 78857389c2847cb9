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

export interface LayerActions {
  readonly isCounting?: boolean | undefined
  readonly wireFault?: string | undefined
  isUsedUp?(): boolean
  readonly assumptions?: Readonly<Record<string, string>>
  deliver?(type: string): DeliveryFault | undefined
  charge?(charge: Charge): ChargeOutcome | undefined
}

/**
 * What an active scenario does in a world, whatever the request. Its effects on requests belong to
 * the pipeline.
 */
export interface LayerEffect extends EffectName, LayerActions {}

interface Charge {
  readonly kind: ChargeKind
  readonly account: Readonly<Account>
}

/** An effect that decides about charges. */
export interface ChargeEffect extends LayerEffect {
  charge(charge: Charge): ChargeOutcome | undefined
}

export interface LiveScenario extends ParsedChoice {
  /** Its name and its non-default options, as a string: `rate-limited-plan:window=day`. */
  readonly text: string
  readonly effects: readonly LayerEffect[]
  readonly bytes: number
  /** True if other requests may reuse it: it reads no time and keeps nothing for one request. */
  readonly isReusable: boolean
  fork(): LiveScenario
}

export function toChoice({ name, options, inline }: LiveScenario): object {
  return inline ? inline.data : { name, ...options }
}

export interface EffectState<T = unknown> {
  readonly bytes: number
  clone(): T
}

export interface ActivationContext {
  readonly now: number
  readonly seed: number
  readonly persistentStates?: Map<string, EffectState>
}

export interface ScenarioSource {
  activate(scenario: ParsedChoice, context: ActivationContext, callers?: CallerSource): LiveScenario
  /**
   * Reads an inline scenario. @param toName returns a name for one without a title. @throws
   * InlineScenarioError if it is invalid.
   */
  readInline(given: object, toName: () => string): ParsedChoice
  has(name: string): boolean
  assertKnown(name: string, purpose: string, others: readonly string[]): void
}

export interface EffectiveSettings {
  readonly scenarioNames: readonly string[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly effects: readonly LayerEffect[]
  /** The names of the effects, for holders that must not keep the effects alive. */
  readonly effectNames: readonly EffectName[]
  readonly switchedBy: ReadonlyMap<string, LayerEffect>
  /**
   * Tables of effects that act together, by their indexes as bits. Requests with the same effects
   * share one.
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
  const switchedBy = new Map<string, LayerEffect>()
  const choices = new Map<string, string>()
  for (const effect of effects)
    for (const [id, value] of Object.entries(effect.assumptions ?? {})) {
      choices.set(id, value)
      switchedBy.set(id, effect)
    }
  const inForce = withChoices(assumptions, choices)
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

export function parseChoices(
  choices: readonly unknown[],
  library: ScenarioSource,
  takenNames: Iterable<string> = [],
): ParsedChoice[] {
  const names = new Set(takenNames)
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

export interface ScenarioEnvironment {
  readonly library: ScenarioSource
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
