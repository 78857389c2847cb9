import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './packed.ts'

const require = createRequire(join(root, 'package.json'))
const preset = require('./dist/cjs/jest-preset.cjs') as {
  transform: Record<string, string>
  transformIgnorePatterns: string[]
  testEnvironmentOptions: Record<string, unknown>
}

/** What a file of CommonJS requires, and what that does, of other packages too. */
function filesBehind(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(
    /(?:require\(|\bfrom\s*|^import\s*)["']([^"'\n]+)["']/gm,
  ))
    try {
      const found = createRequire(file).resolve(specifier!)
      if (found.startsWith('/')) filesBehind(found, seen)
    } catch {
      // A package that is optional, or named in a text.
    }
  return seen
}

const isEsm = (file: string): boolean => file.endsWith('.mjs') || (file.endsWith('.js') && typeOf(file) === 'module')

function typeOf(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder))
    try {
      return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { type?: string }).type
    } catch {
      if (folder === dirname(folder)) return undefined
    }
}

const isTransformed = (file: string) =>
  !preset.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(file)) &&
  Object.entries(preset.transform)
    .find(([pattern]) => new RegExp(pattern).test(file))?.[1]
    ?.endsWith('/jest-transform.cjs')

test('every ES module that msw requires is transformed', () => {
  const modules = [...filesBehind(require.resolve('msw/node'))].filter(isEsm)
  expect(modules.length).toBeGreaterThan(2)
  expect(modules.filter((file) => !isTransformed(file))).toEqual([])
})

test('a package is found where npm, pnpm and Windows have it', () => {
  expect(
    [
      '/home/me/project/node_modules/rettime/build/index.mjs',
      '/home/me/node_modules/project/node_modules/msw/node_modules/until-async/lib/index.js',
      '/home/me/project/node_modules/.pnpm/rettime@0.11.12/node_modules/rettime/build/index.mjs',
      'C:\\project\\node_modules\\@open-draft\\deferred-promise\\build\\index.mjs',
    ].filter((file) => !isTransformed(file)),
  ).toEqual([])
})

test('other packages are left alone, and the code of a project goes to babel-jest', () => {
  const ignored = (file: string) => preset.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(file))
  expect(['/project/node_modules/react/index.js', '/project/node_modules/msw-storybook/index.js'].every(ignored)).toBe(
    true,
  )
  expect(['/project/src/msw/server.js', '/project/src/cookie.ts'].some(ignored)).toBe(false)
  expect(['/project/src/msw/server.js', '/project/src/cookie.ts'].some(isTransformed)).toBe(false)
  expect(preset.transform['\\.[jt]sx?$']).toMatch(/babel-jest/)
})

test('under jsdom packages are those for Node', () => {
  expect(preset.testEnvironmentOptions).toEqual({ customExportConditions: ['node', 'node-addons'] })
})

test('Jest finds it by the name of the package, and by its own', () => {
  expect(require.resolve('greenhouse-mock/jest-preset')).toBe(join(root, 'dist/cjs/jest-preset.cjs'))
  expect(require.resolve('greenhouse-mock/jest-preset/jest-preset')).toBe(join(root, 'dist/cjs/jest-preset.cjs'))
})
