import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseYamlBytes, unreadable, type YamlFile } from './yaml.ts'

/**
 * The YAML files right in a folder, by name; hidden ones, where editors keep locks, are left out. A link that leads out of
 * the folder is a problem and is not followed.
 * @throws Error when it is no folder that can be read, or has no YAML file.
 */
export function readYamlFolder(folder: string): YamlFile[] {
  const names = listYaml(folder)
  if (names.length === 0) throw new Error(`Found no YAML files in the folder "${folder}": expected names that end in .yaml or .yml.`)
  const root = realpathSync(folder)
  return names.map((name) => readYamlFile(join(folder, name), root))
}

function listYaml(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.ya?ml$/.test(name))
      .sort()
  } catch (cause) {
    throw new Error(`Failed to read the folder "${folder}": ${(cause as Error).message}.`, { cause })
  }
}

function readYamlFile(file: string, root: string): YamlFile {
  let bytes: Buffer
  try {
    const real = realpathSync(file)
    if (!real.startsWith(root + sep)) return unreadable(file, 'leads out of the folder: put the file itself there')
    if (!statSync(real).isFile()) return unreadable(file, 'is no file')
    bytes = readFileSync(real)
  } catch (error) {
    return unreadable(file, `can't be read: ${(error as Error).message}`)
  }
  return parseYamlBytes(file, bytes)
}
