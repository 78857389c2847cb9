import { join } from 'node:path'
import { showValue } from '../../core/definitions/shown-value.ts'
import { findOfJest } from './find-of-jest.ts'
import { readPreset, type JestConfig } from './read-preset.ts'

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
 * Adds what msw needs to a Jest configuration: packages that are ES modules become CommonJS, and jsdom gets msw for Node.
 * Transforms, ignore patterns, presets and projects that you set stay in effect.
 * @param config the object that you would export, or a function or promise that gives it, such as the result of next/jest's
 * `createJestConfig`.
 * @example
 * module.exports = withGreenhouse({ preset: 'ts-jest', testEnvironment: 'jsdom' })
 * @throws TypeError for anything else; Error if a preset does not exist.
 */
export function withGreenhouse<Config extends Load>(config: Config): () => Promise<Awaited<ReturnType<Config>>>
/** Adds the same to an object, or to the object of a promise. */
export function withGreenhouse<Config extends object>(config: Config): Config
export function withGreenhouse(config: unknown): unknown {
  if (typeof config === 'function')
    return async (...args: unknown[]) => addTo((await (config as (...args: unknown[]) => unknown)(...args)) as object)
  if (config instanceof Promise) return config.then(addTo)
  return addTo(config)
}

function addTo(config: unknown): JestConfig {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new TypeError(
      `Failed to call withGreenhouse(): it takes a Jest configuration, or a function that returns one; ${showValue(config)} was given.`,
    )
  const own = config as JestConfig
  if (own.projects) return { ...own, projects: own.projects.map((one) => (typeof one === 'string' ? one : addTo(one))) }
  const preset = readPreset(own)
  const isJestsOwn = !own.transform && !preset.transform
  return {
    ...own,
    transform: {
      [`${named}.+\\.m?js$`]: join(__dirname, 'jest-transform.cjs'),
      ...(isJestsOwn && { '\\.[jt]sx?$': findOfJest('babel-jest', process.cwd()) ?? 'babel-jest' }),
      ...own.transform,
    },
    transformIgnorePatterns: (own.transformIgnorePatterns ?? preset.transformIgnorePatterns ?? ignored).map(
      (pattern) => `^(?!.*${named}).*(?:${pattern})`,
    ),
    testEnvironmentOptions: {
      customExportConditions: ['node', 'node-addons'],
      ...preset.testEnvironmentOptions,
      ...own.testEnvironmentOptions,
    },
  }
}
