import { codedError } from '../../core/text/error-codes.ts'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { showValue } from '../../core/text/messages.ts'

const slash = '[/\\\\]'

/** msw and its dependencies; some are only ES modules. */
const packages = [
  'msw',
  `@msw${slash}[^/\\\\]+`,
  `@mswjs${slash}[^/\\\\]+`,
  `@open-draft${slash}[^/\\\\]+`,
  'cookie',
  'headers-polyfill',
  'is-node-process',
  'outvariant',
  'rettime',
  'set-cookie-parser',
  'strict-event-emitter',
  'tough-cookie',
  'until-async',
]

/** Matches these packages in any folder of a package manager: nested, or in a store. */
const named = `${slash}node_modules${slash}(?:${packages.join('|')})${slash}`

/** Jest's default ignore patterns. */
const ignored = ['[/\\\\]node_modules[/\\\\]', '\\.pnp\\.[^/\\\\]+$']

/** The configuration as a function, as next/jest returns it. */
type Load = (...args: never[]) => unknown

/**
 * Adds what msw needs to a Jest configuration: packages that are ES modules become CommonJS, and
 * jsdom gets msw for Node. Transforms, ignore patterns, presets and projects that you set stay in
 * effect.
 * @param config the object that you would export, or a function or promise that gives it, such as
 * the result of next/jest's `createJestConfig`.
 * @example
 * module.exports = withGreenhouse({ preset: 'ts-jest', testEnvironment: 'jsdom' })
 * @throws TypeError for anything else; Error if a preset does not exist.
 */
export function withGreenhouse<Config extends Load>(
  config: Config,
): () => Promise<Awaited<ReturnType<Config>>>
/** Adds the same to an object, or to the object of a promise. */
export function withGreenhouse<Config extends object>(config: Config): Config
export function withGreenhouse(config: unknown): unknown {
  if (typeof config === 'function')
    return async (...args: unknown[]) =>
      addToConfig(await (config as (...args: unknown[]) => unknown)(...args))
  if (config instanceof Promise) return config.then(addToConfig)
  return addToConfig(config)
}

function addToConfig(config: unknown): JestConfig {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to call withGreenhouse(): it takes a Jest configuration, or a function that returns one; ${showValue(config)} was given.`,
    )
  const own = config as JestConfig
  if (own.projects)
    return {
      ...own,
      projects: own.projects.map((one) => (typeof one === 'string' ? one : addToConfig(one))),
    }
  const preset = readPreset(own)
  const isJestsOwn = !own.transform && !preset.transform
  return {
    ...own,
    transform: {
      [`${named}.+\\.m?js$`]: join(__dirname, 'jest-transform.cjs'),
      ...(isJestsOwn && { '\\.[jt]sx?$': findOfJest('babel-jest', process.cwd()) ?? 'babel-jest' }),
      ...own.transform,
    },
    transformIgnorePatterns: (
      own.transformIgnorePatterns ??
      preset.transformIgnorePatterns ??
      ignored
    ).map((pattern) => `^(?!.*${named}).*(?:${pattern})`),
    testEnvironmentOptions: {
      customExportConditions: ['node', 'node-addons'],
      ...preset.testEnvironmentOptions,
      ...own.testEnvironmentOptions,
    },
  }
}

interface JestConfig {
  readonly preset?: string | null
  readonly rootDir?: string
  readonly projects?: readonly unknown[]
  readonly transform?: object
  readonly transformIgnorePatterns?: readonly string[]
  readonly testEnvironmentOptions?: object
}

/** The extensions of a preset's file, in Jest's order. */
const endings = ['', '.js', '.cjs', '.mjs', '.json']

function readPreset({ preset, rootDir = '.' }: JestConfig): JestConfig {
  if (typeof preset !== 'string') return {}
  const folder = resolve(rootDir)
  const require = createRequire(join(folder, '_.js'))
  const name = preset.replace(/^<rootDir>/, '.')
  const path = name.startsWith('.') ? join(folder, name) : name
  const candidates = endings.map((ending) => `${path}/jest-preset${ending}`)
  if (path !== name) candidates.push(path)
  for (const candidate of candidates) {
    let file: string
    try {
      file = require.resolve(candidate)
    } catch {
      continue
    }
    const read = require(file) as JestConfig & { readonly default?: JestConfig }
    return read.default ?? read
  }
  throw codedError(
    'GREENHOUSE_UNSUPPORTED_HOST',
    `Failed to call withGreenhouse(): the preset "${preset}" was not found from ${folder}. If that is not the folder of your project, set rootDir: __dirname.`,
  )
}

/**
 * The chains of packages that may lead from a project to Jest's own: with some package managers,
 * each package sees only its own dependencies. Chains through a framework around Jest, such as
 * react-scripts, come first.
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
