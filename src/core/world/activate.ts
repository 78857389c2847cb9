import type { CallerSource } from '../accounts/known-callers.ts'
import { recognizeAcrossBuilds } from '../contract/across-builds.ts'
import type { CoreActiveScenario, HeaderState, ScenarioSource } from './effective-settings.ts'
import type { NamedScenario } from './scenario-choice.ts'

export class UnsupportedFaultError extends RangeError {
  override name = 'UnsupportedFaultError'

  constructor(scenario: string, fault: string, host: string) {
    super(
      `Failed to use the scenario "${scenario}": ${host} can't produce the fault "${fault}", which needs a connection of its own. Use serve() with a Greenhouse that has no handlers, or a fault that every adapter can produce, such as network-error or timeout.`,
    )
  }
}

recognizeAcrossBuilds(UnsupportedFaultError, 'UnsupportedFaultError')

export class UnknownScenarioError extends RangeError {}

recognizeAcrossBuilds(UnknownScenarioError, 'UnknownScenarioError')

/** Thrown for an invalid option of a scenario. For users, a RangeError like any other. */
export class RejectedOptionError extends RangeError {
  readonly scenario: string
  readonly options: readonly string[]
  /** The reason, without the names of scenario and option: `it takes true or false; 5 was given`. */
  readonly reason: string

  constructor(message: string, scenario: string, options: readonly string[], reason: string) {
    super(message)
    this.scenario = scenario
    this.options = options
    this.reason = reason
  }
}

recognizeAcrossBuilds(RejectedOptionError, 'RefusedOptionError')

export interface Activating {
  readonly library: ScenarioSource
  readonly hosts: ReadonlySet<string>
  /** Has the accounts and keys that scenarios may name. Without it, their names are not checked. */
  readonly callers?: CallerSource
}

export function activate(
  { library, hosts, callers }: Activating,
  chosen: NamedScenario,
  now: number,
  seed: number,
  lasting?: Map<string, HeaderState>,
): CoreActiveScenario {
  const scenario = library.activate(chosen, { now, seed, lasting }, callers)
  for (const host of hosts) assertProducible(scenario, host)
  return scenario
}

export function assertProducible({ name, effects }: CoreActiveScenario, host: string): void {
  const fault = effects.find((effect) => effect.wireFault !== undefined)?.wireFault
  if (fault !== undefined) throw new UnsupportedFaultError(name, fault, host)
}
