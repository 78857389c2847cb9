import documents from '../../../scenarios/*.yaml'
import { DataError, type Problem } from '../../core/contract/problem.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import { checkScenario, scenarioFiles } from './check.ts'
import { ScenarioLibrary } from './library.ts'
import type { NamedFile } from './prepare.ts'
import type { ScenarioFile } from './schema.ts'
import type { Fields } from '../../core/text/values.ts'

/** The scenarios of the package; bundlers leave them out of what does not read them. */
export const bundledScenarios: ReadonlyMap<string, ScenarioFile> = /* @__PURE__ */ byName()

function byName(): Map<string, ScenarioFile> {
  return new Map(
    Object.entries(documents).map(([file, document]) => [
      file.replace('.yaml', ''),
      document as ScenarioFile,
    ]),
  )
}

const textInsteadOfObject =
  'is a text: expected an object. parseScenarios() of greenhouse-mock/config reads texts in YAML'

/**
 * Creates the library of the bundled scenarios and some of your own, by name. @throws DataError
 * with every problem.
 */
export function openLibrary(own: Fields, contract: Contract): ScenarioLibrary {
  const problems: Problem[] = []
  const files = new Map<string, NamedFile>()
  for (const [name, file] of bundledScenarios)
    files.set(name, {
      name,
      file,
      isBundled: true,
    })
  // Your own scenario replaces a bundled one of its name.
  for (const [name, data] of Object.entries(own)) {
    if (typeof data === 'string')
      problems.push({
        file: name,
        path: [],
        message: textInsteadOfObject,
      })
    else {
      const { problems: found, checked } = checkScenario(name, name, data, contract)
      problems.push(...found)
      if (checked)
        files.set(name, {
          ...checked,
          name,
          isBundled: false,
          path: scenarioFiles.get(data as object),
        })
    }
  }
  if (problems.length > 0) throw new DataError('scenarios', problems)
  return new ScenarioLibrary(files, contract)
}
