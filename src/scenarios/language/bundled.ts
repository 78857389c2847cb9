import documents from '../../../scenarios/*.yaml'
import { DataError } from '../../core/contract/problem.ts'
import type { Contract } from '../../core/pipeline/operation.ts'
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

export const bundledScenarios: ReadonlyMap<string, ScenarioFile> = /* @__PURE__ */ byName()

function byName(): Map<string, ScenarioFile> {
  return new Map(
    Object.entries(documents).map(([file, document]) => [
      file.replace(/\.yaml$/, ''),
      document as ScenarioFile,
    ]),
  )
}

/**
 * Creates the library of the bundled scenarios and some of your own, by name. @throws DataError
 * with every problem.
 */
export function openLibrary(own: Readonly<Record<string, unknown>>, contract: Contract): Library {
  const problems = Object.entries(own).flatMap(([name, data]) =>
    checkScenario(name, name, data, contract),
  )
  if (problems.length > 0) throw new DataError('scenarios', problems)
  const files = new Map([...bundledScenarios, ...(Object.entries(own) as [string, ScenarioFile][])])
  return createScenarioLibrary(files, contract, bundledScenarios)
}
