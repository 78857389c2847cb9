import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as Jest from 'greenhouse-mock/jest'
import { expect, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { root } from './packed.ts'

const require = createRequire(join(root, 'package.json'))
const preset = require('./dist/cjs/jest-preset.cjs') as {
  transform: Record<string, string>
  transformIgnorePatterns: string[]
  testEnvironmentOptions: Record<string, unknown>
}

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

const isEsm = (file: string): boolean =>
  file.endsWith('.mjs') || (file.endsWith('.js') && typeOf(file) === 'module')

function typeOf(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder))
    try {
      return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { type?: string })
        .type
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
  const files = [
    '/home/me/project/node_modules/rettime/build/index.mjs',
    '/home/me/node_modules/project/node_modules/msw/node_modules/until-async/lib/index.js',
    '/home/me/project/node_modules/.pnpm/rettime@0.11.12/node_modules/rettime/build/index.mjs',
    'C:\\project\\node_modules\\@open-draft\\deferred-promise\\build\\index.mjs',
  ]
  expect(files.filter((file) => !isTransformed(file))).toEqual([])
})

test('other packages are left alone, and the code of a project goes to babel-jest', () => {
  const ignored = (file: string) =>
    preset.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(file))
  const others = ['react', 'msw-storybook'].map((name) => `/project/node_modules/${name}/index.js`)
  const code = ['/project/src/msw/server.js', '/project/src/cookie.ts']
  expect([others.every(ignored), code.some(ignored), code.some(isTransformed)]).toEqual([
    true,
    false,
    false,
  ])
  expect(preset.transform['\\.[jt]sx?$']).toMatch(/babel-jest/)
})

test('under jsdom packages are those for Node', () => {
  expect(preset.testEnvironmentOptions).toEqual({ customExportConditions: ['node', 'node-addons'] })
})

test('Jest finds it by the name of the package, and by its own', () => {
  expect(require.resolve('greenhouse-mock/jest-preset')).toBe(
    join(root, 'dist/cjs/jest-preset.cjs'),
  )
  expect(require.resolve('greenhouse-mock/jest-preset/jest-preset')).toBe(
    join(root, 'dist/cjs/jest-preset.cjs'),
  )
})

const { withGreenhouse } = require('greenhouse-mock/jest') as typeof Jest

type Added = Pick<typeof preset, 'transform' | 'transformIgnorePatterns' | 'testEnvironmentOptions'>

function writeProject(): string {
  return writeFolder({
    'node_modules/jest-some/jest-preset.js':
      "module.exports = { transform: { '\\\\.vue$': 'vue' }, transformIgnorePatterns: ['/node_modules/(?!some-esm/)'], testEnvironmentOptions: { url: 'http://some.test' } }",
    'presets/jest-preset.json': '{ "testEnvironmentOptions": { "url": "http://json.test" } }',
  })
}

const inMsw = '/project/node_modules/rettime/build/index.mjs'

test('withGreenhouse adds to a configuration, and what it has stays in effect', () => {
  const own = {
    testEnvironment: 'jsdom',
    transform: { '\\.[jt]sx?$': '@swc/jest' },
    transformIgnorePatterns: ['/node_modules/(?!lodash-es/)', '^/generated/'],
    testEnvironmentOptions: { customExportConditions: ['browser'] },
  }
  const added = withGreenhouse(own)
  expect(added).toMatchObject({
    testEnvironment: 'jsdom',
    testEnvironmentOptions: own.testEnvironmentOptions,
  })
  const [first, second, ...rest] = Object.entries(added.transform)
  expect(new RegExp(first![0]).test(inMsw)).toBe(true)
  expect([second, rest]).toEqual([['\\.[jt]sx?$', '@swc/jest'], []])
  const isIgnored = (file: string) =>
    added.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(file))
  expect(['/p/node_modules/react/index.js', '/generated/a.js'].map(isIgnored)).toEqual([true, true])
  expect(['/p/node_modules/lodash-es/a.js', '/p/generated/a.js', inMsw].some(isIgnored)).toBe(false)
})

test('withGreenhouse adds to what a preset has, wherever that is', () => {
  const rootDir = writeProject()
  const some = withGreenhouse({ preset: 'jest-some', rootDir }) as unknown as Added
  // Jest merges the transforms of the preset itself.
  expect(Object.values(some.transform)).toEqual([expect.stringMatching(/jest-transform\.cjs$/)])
  expect(some.transformIgnorePatterns).toEqual([
    expect.stringContaining('(?:/node_modules/(?!some-esm/))'),
  ])
  expect(some.testEnvironmentOptions).toMatchObject({ url: 'http://some.test' })
  for (const preset of ['./presets', '<rootDir>/presets']) {
    const json = withGreenhouse({ preset, rootDir }) as unknown as Added
    expect(json.testEnvironmentOptions).toMatchObject({ url: 'http://json.test' })
    expect(Object.values(json.transform)).toEqual([
      expect.any(String),
      expect.stringMatching(/babel-jest/),
    ])
  }
  expect(() => withGreenhouse({ preset: 'jest-none', rootDir })).toThrow(
    `Failed to call withGreenhouse(): the preset "jest-none" was not found from ${rootDir}.`,
  )
})

test('withGreenhouse takes functions, promises and projects', async () => {
  const config = { displayName: 'mine' }
  const expected = withGreenhouse(config)
  expect(await withGreenhouse(async () => config)()).toEqual(expected)
  expect(await withGreenhouse(Promise.resolve(config))).toEqual(expected)
  expect(withGreenhouse({ projects: ['packages/*', config] })).toEqual({
    projects: ['packages/*', expected],
  })
  for (const wrong of [undefined, null, 'greenhouse-mock', []])
    expect(() => withGreenhouse(wrong as never)).toThrow('it takes a Jest configuration')
})

test('a file that Jest loads as an ES module stays one', () => {
  const { process, getCacheKey } = require(join(root, 'dist/cjs/jest-transform.cjs')) as {
    process(text: string, file: string, options: object): { code: string }
    getCacheKey(text: string, file: string, options: object): string
  }
  const text = 'export const one = 1\n'
  const config = { rootDir: root }
  const asEsm = { config, supportsStaticESM: true }
  expect(process(text, 'a.mjs', asEsm)).toEqual({ code: text })
  expect(getCacheKey(text, 'a.mjs', asEsm)).not.toBe(getCacheKey(text, 'a.mjs', { config }))
})
