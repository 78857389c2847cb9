import documents from '../../../scenarios/*.yaml'
import { DataError } from '../../core/contract/problem.ts'
import type { Contract } from '../../core/pipeline/operation.ts'
import type { ScenarioRunner } from '../../core/pipeline/exchange.ts'
import { scenarioRunner } from '../../core/pipeline/scenario-runner.ts'
import { HeaderLayer } from '../../core/world/header-layer.ts'
import type { ScenarioSource } from '../../core/world/effective-settings.ts'
import { checkScenario } from './check.ts'
import { createScenarioLibrary } from './library.ts'
import type { ScenarioSummary } from './scenario-summary.ts'
import type { ScenarioFile } from './schema.ts'

export interface Library extends ScenarioSource {
  /** Lists all scenarios, by name. */
  list(): ScenarioSummary[]
  /** Lists the scenarios with all words of a search, best match first. */
  search(words: string): ScenarioSummary[]
}

/** The part with the scenarios, and the code that reads and applies them. */
export interface ScenarioPart {
  readonly part: 'scenarios'
  /** Creates the library. @param own additional scenarios, by name. @throws DataError with every problem. @internal */
  createLibrary(own: Readonly<Record<string, unknown>>, contract: Contract): Library
  /** Applies effects to requests. @internal */
  readonly runner?: ScenarioRunner
  /** Creates the layer of a world for scenarios that requests name in a header. @internal */
  readonly createHeaderLayer?: () => HeaderLayer
}

/** Creates the part for `createGreenhouse`. @param bundled scenarios that need no check. @param extra additional scenarios. */
export function toScenarioPart(
  bundled: ReadonlyMap<string, ScenarioFile>,
  extra: Readonly<Record<string, unknown>> = {},
): ScenarioPart {
  return {
    part: 'scenarios',
    runner: scenarioRunner,
    createHeaderLayer: () => new HeaderLayer(),
    createLibrary(own, contract) {
      const added = { ...extra, ...own }
      const problems = Object.entries(added).flatMap(([name, data]) => checkScenario(name, name, data, contract))
      if (problems.length > 0) throw new DataError('scenarios', problems)
      const files = new Map([...bundled, ...(Object.entries(added) as [string, ScenarioFile][])])
      return createScenarioLibrary(files, contract, bundled)
    },
  }
}

/**
 * Creates a part from your own scenarios, by name, in the form of scenario files. The bundled scenarios are not
 * included.
 * @example createGreenhouse({ areas: [plants], scenarios: ownScenarios({ 'no-fern': { title: 'No fern', … } }) })
 */
export function ownScenarios(scenarios: Readonly<Record<string, unknown>>): ScenarioPart {
  return toScenarioPart(new Map(), scenarios)
}

export const bundledScenarios: ReadonlyMap<string, ScenarioFile> = /* @__PURE__ */ byName()

function byName(): Map<string, ScenarioFile> {
  return new Map(
    Object.entries(documents).map(([file, document]) => [file.replace(/\.yaml$/, ''), document as ScenarioFile]),
  )
}

/**
 * The bundled scenarios, for `createGreenhouse` of `greenhouse-mock/parts`.
 * @example createGreenhouse({ areas: [plants], fixtures, scenarios })
 */
export const scenarios: ScenarioPart = /* @__PURE__ */ toScenarioPart(bundledScenarios)
