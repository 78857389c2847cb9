import { recognizeAcrossBuilds } from '../definitions/across-builds.ts'
import type { ActiveScenario, Memory, ScenarioSource } from './layer.ts'
import type { NamedScenario } from './scenario-choice.ts'

/** A scenario asks for a fault on the wire, and what answers the requests has no wire. */
export class UnsupportedFaultError extends RangeError {
  override name = 'UnsupportedFaultError'

  constructor(scenario: string, fault: string, host: string) {
    super(
      `Failed to use the scenario "${scenario}": ${host} can't produce the fault "${fault}", which needs a connection of its own. Use serve() with a Greenhouse that has no handlers, or a fault that every adapter can produce, such as network-error or timeout.`,
    )
  }
}

recognizeAcrossBuilds(UnsupportedFaultError, 'UnsupportedFaultError')

/** There is no scenario of a name. To a user a RangeError like any other. */
export class UnknownScenarioError extends RangeError {}

recognizeAcrossBuilds(UnknownScenarioError, 'UnknownScenarioError')

/** An option of a scenario can't be what it is to be. To a user a RangeError like any other. */
export class RefusedOptionError extends RangeError {
  readonly scenario: string
  /** The options whose values are wrong, or that the scenario does not have. */
  readonly options: readonly string[]
  /** Why, without the scenario's and the option's names: `it takes true or false; 5 was given`. */
  readonly reason: string

  constructor(message: string, scenario: string, options: readonly string[], reason: string) {
    super(message)
    this.scenario = scenario
    this.options = options
    this.reason = reason
  }
}

recognizeAcrossBuilds(RefusedOptionError, 'RefusedOptionError')

/** Where scenarios come from, and what is to produce them. */
export interface Activating {
  readonly library: ScenarioSource
  readonly hosts: ReadonlySet<string>
}

/** A scenario made ready. @throws RangeError when there is none of that name or an option is wrong, UnsupportedFaultError when a host has no wire for it. */
export function activate(
  { library, hosts }: Activating,
  chosen: NamedScenario,
  now: number,
  seed: number,
  lasting?: Map<string, Memory>,
): ActiveScenario {
  const scenario = library.activate(chosen, { now, seed, lasting })
  for (const host of hosts) assertProducible(scenario, host)
  return scenario
}

/** @throws UnsupportedFaultError when a scenario asks for a fault that `host` has no wire for. */
export function assertProducible({ name, effects }: ActiveScenario, host: string): void {
  const fault = effects.find((effect) => effect.wireFault !== undefined)?.wireFault
  if (fault !== undefined) throw new UnsupportedFaultError(name, fault, host)
}
