import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The chains of packages that may lead from a project to Jest's own: with some package managers, each package sees only its own
 * dependencies. Chains through a framework around Jest, such as react-scripts, come first.
 */
const chains: readonly (readonly string[])[] = [
  [],
  ['jest', '@jest/core', '@jest/transform'],
  ['jest', '@jest/core', 'jest-config'],
  ['babel-jest'],
  ['jest-cli', '@jest/core', '@jest/transform'],
  ['react-scripts', 'jest', '@jest/core', '@jest/transform'],
]

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
      // Try the next one.
    }
  return undefined
}
