import documents from '../../../scenarios/*.yaml'
import { DataError } from '../../core/contract/problem.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import { checkScenario } from './check.ts'
import { ScenarioLibrary } from './library.ts'
import type { NamedFile } from './prepare.ts'
import type { ScenarioFile } from './schema.ts'
import type { Fields } from '../../core/text/values.ts'

export const bundledScenarios: ReadonlyMap<string, ScenarioFile> = /* @__PURE__ */ byName()

function byName(): Map<string, ScenarioFile> {
  return new Map(
    Object.entries(documents).map(([file, document]) => [
      file.replace(/\.yaml$/, ''),
      document as ScenarioFile,
    ]),
  )
}

const isText =
  'is a text: expected an object. parseScenarios() of greenhouse-mock/config reads texts in YAML'

/**
 * Creates the library of the bundled scenarios and some of your own, by name. @throws DataError
 * with every problem.
 */
export function openLibrary(own: Fields, contract: Contract): ScenarioLibrary {
  const problems = Object.entries(own).flatMap(([name, data]) => {
    if (typeof data === 'string')
      return [
        {
          file: name,
          path: [],
          message: isText,
        },
      ]
    return checkScenario(name, name, data, contract)
  })
  if (problems.length > 0) throw new DataError('scenarios', problems)
  const files = new Map<string, NamedFile>()
  // Your own scenario replaces a bundled one of its name.
  const all = [...bundledScenarios, ...(Object.entries(own) as [string, ScenarioFile][])]
  for (const [name, file] of all)
    files.set(name, { name, file, isBundled: bundledScenarios.get(name) === file })
  return new ScenarioLibrary(files, contract)
}
