import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseYaml, type YamlFile } from './yaml.ts'

/** The YAML files right in a folder, by name. Links that lead out of it are left out. @throws Error when it is no folder that can be read. */
export function readYamlFolder(folder: string): YamlFile[] {
  const names = listYaml(folder)
  const root = realpathSync(folder)
  return names
    .filter((name) => !relative(root, realpathSync(join(folder, name))).startsWith('..' + sep))
    .map((name) => parseYaml(join(folder, name), readFileSync(join(folder, name), 'utf8')))
}

function listYaml(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.ya?ml$/.test(name) && statSync(join(folder, name)).isFile())
      .sort()
  } catch (cause) {
    throw new Error(`Failed to read the folder "${folder}": ${(cause as Error).message}.`, { cause })
  }
}
