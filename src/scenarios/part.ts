import { DataError } from '../core/definitions/problem.ts'
import type { Contract } from '../core/pipeline/contract.ts'
import { createScenarioActs, type ScenarioActs } from '../core/pipeline/scenario-acts.ts'
import { createHeaderLayer, type HeaderLayer } from '../core/world/header-layer.ts'
import type { ScenarioSource } from '../core/world/layer.ts'
import { checkScenario } from './check.ts'
import { ScenarioLibrary, type ScenarioSummary } from './library.ts'
import type { ScenarioFile } from './schema.ts'
import { searchScenarios } from './search.ts'

/** The scenarios that worlds can switch on, and what they are. */
export interface Library extends ScenarioSource {
  /** All of them, by name. */
  list(): ScenarioSummary[]
  /** Those that have all words of a search, the best match first. */
  search(words: string): ScenarioSummary[]
}

/** The part that has the scenarios, and reads their language. */
export interface ScenarioPart {
  readonly part: 'scenarios'
  /** @param own scenarios beside those that it has, by name. @throws DataError when something is wrong with them. @internal */
  createLibrary(own: Readonly<Record<string, unknown>>, contract: Contract): Library
  /** Makes what lets them act on requests. @internal */
  readonly createActs?: () => ScenarioActs
  /** Makes what reads those that requests of a world name in a header. @internal */
  readonly createHeaderLayer?: (grow: (bytes: number) => void) => HeaderLayer
}

/** Makes scenarios ready for `createGreenhouse`. @param bundled those that come along, which are known to be sound. @param mine beside them. */
export function toScenarioPart(
  bundled: ReadonlyMap<string, ScenarioFile>,
  mine: Readonly<Record<string, unknown>> = {},
): ScenarioPart {
  return {
    part: 'scenarios',
    createActs: createScenarioActs,
    createHeaderLayer,
    createLibrary(own, contract) {
      const added = { ...mine, ...own }
      const problems = Object.entries(added).flatMap(([name, data]) => checkScenario(name, name, data, contract))
      if (problems.length > 0) throw new DataError('scenarios', problems)
      const files = new Map([...bundled, ...(Object.entries(added) as [string, ScenarioFile][])])
      const library = new ScenarioLibrary(files, contract, bundled)
      return Object.assign(library, { search: (words: string) => searchScenarios(library.list(), words) })
    },
  }
}

/**
 * Makes a part from your own scenarios, by name, in the form of scenario files. The bundled scenarios are not included.
 * @example createGreenhouse({ areas: [plants], scenarios: ownScenarios({ 'no-fern': { title: 'No fern', … } }) })
 */
export function ownScenarios(scenarios: Readonly<Record<string, unknown>>): ScenarioPart {
  return toScenarioPart(new Map(), scenarios)
}
