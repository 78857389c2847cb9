import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { parseYamlBytes, unreadable, type YamlFile } from './yaml.ts'

/**
 * Returns the YAML and JSON files directly in a folder, by name, without hidden files (editors' locks) and JSON
 * schemas. A link that leads out of the folder is a problem and is not followed. @throws Error if the folder cannot be
 * read, or has no such file.
 */
export function readDataFolder(folder: string): YamlFile[] {
  return [...eachDataFile(folder)]
}

export function* eachDataFile(folder: string): Generator<YamlFile> {
  const names = listData(folder)
  if (names.length === 0)
    throw new Error(
      `Found no YAML or JSON files in the folder "${folder}": expected names that end in .yaml, .yml or .json.`,
    )
  const root = realpathSync(folder)
  for (const name of names) yield readYamlFile(join(folder, name), root)
}

export function sizeOfDataFolder(folder: string): number {
  return listData(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

function listData(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.(ya?ml|json)$/.test(name) && !name.endsWith('.schema.json'))
      .sort()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const from = code === 'ENOENT' && !isAbsolute(folder) ? ` The path is relative to ${process.cwd()}.` : ''
    const why = code === 'ENOTDIR' ? 'it is a file. Name the folder that it is in.' : `${message}.${from}`
    throw new Error(`Failed to read the folder "${folder}": ${why}`, { cause })
  }
}

function readYamlFile(file: string, root: string): YamlFile {
  let bytes: Buffer
  try {
    const real = realpathSync(file)
    if (!real.startsWith(root + sep))
      return unreadable(file, 'is a link to a file outside the folder: copy the file into the folder')
    if (!statSync(real).isFile()) return unreadable(file, 'is not a file')
    bytes = readFileSync(real)
  } catch (error) {
    return unreadable(file, `can't be read: ${(error as Error).message}`)
  }
  return parseYamlBytes(file, bytes)
}
