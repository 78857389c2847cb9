import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Greenhouse, ScenarioFolder } from '../api/greenhouse.ts'
import { systemNow } from '../core/time/clock.ts'
import { toShownPath } from './find-config.ts'
import { readScenariosWith } from './load.ts'
import { replaceFile } from './replace-file.ts'
import { parseYaml } from './yaml.ts'

/** Lets the control API save scenarios into the folder that a Greenhouse reads. */
export function openScenarioFolder(greenhouse: Greenhouse, folder: string): ScenarioFolder {
  const find = (name: string) =>
    ['yaml', 'yml', 'json']
      .map((ending) => `${name}.${ending}`)
      .find((file) => lstatSync(join(folder, file), { throwIfNoEntry: false }) !== undefined)
  return {
    path: toShownPath(folder),
    find,
    save(name, text) {
      const target = find(name) ?? `${name}.yaml`
      const path = join(folder, target)
      if (target.endsWith('.json')) throw new Error(`it is in ${target}: remove that file first`)
      const former = lstatSync(path, { throwIfNoEntry: false })
      if (former && !former.isFile()) throw new Error(`${target} is a link, or not a file`)
      // Loaded first: a folder that can't be loaded stays as it is.
      greenhouse.reload({ scenarios: readScenariosWith(parseYaml(path, text), folder, greenhouse.catalogue) })
      replaceFile(join(realpathSync(folder), target), text)
      greenhouse.setFilesState({ problems: [], loadedAt: systemNow() })
    },
  }
}
