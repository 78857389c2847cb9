import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The packages between a project and what Jest brings along: a package manager may let each see its own dependencies only.
 * A test framework around Jest, such as react-scripts, comes first.
 */
const chains: readonly (readonly string[])[] = [
  [],
  ['jest', '@jest/core', '@jest/transform'],
  ['jest', '@jest/core', 'jest-config'],
  ['babel-jest'],
  ['jest-cli', '@jest/core', '@jest/transform'],
  ['react-scripts', 'jest', '@jest/core', '@jest/transform'],
]

/** Finds the path of a package that Jest depends on. @param folder the project's folder. @returns `undefined` when it is not installed. */
export function findOfJest(name: string, folder: string): string | undefined {
  for (const chain of chains)
    try {
      return chain
        .reduce(
          (from, step) => createRequire(from.resolve(`${step}/package.json`)),
          createRequire(join(folder, '_.js')),
        )
        .resolve(name)
    } catch {
      // The next one.
    }
  return undefined
}
