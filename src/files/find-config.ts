import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const names = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml'].map((end) => `greenhouse.config.${end}`)

/**
 * Finds the configuration file: the named one, or that of the folder, or of the nearest folder above it. `none` means no file.
 * @param named a path; `undefined` or empty for a search. @throws Error if it does not exist, or if a folder has two.
 */
export function findConfig(named: string | undefined, folder: string): string | undefined {
  if (named === 'none') return undefined
  if (named) {
    const file = resolve(folder, named)
    if (isFile(file)) return file
    throw new Error(`Failed to read the configuration "${named}": there is no such file.`)
  }
  for (let at = resolve(folder); ; at = dirname(at)) {
    const [found, second] = names.map((name) => join(at, name)).filter(isFile)
    if (second !== undefined)
      throw new Error(`Found two configuration files, ${found} and ${second}. Keep one, or name one with --config.`)
    if (found !== undefined || at === dirname(at)) return found
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
