import { withCallerStack, givenOf } from '../core/contract/options.ts'
import { checkOptions, type SchemasOf, text } from '../core/store/options.ts'
import { toReason } from '../core/contract/errors.ts'
import { DataError, type Problem } from '../core/contract/problem.ts'
import { createGreenhouse } from '../api/assembly/create.ts'
import { type GreenhouseOptions, greenhouseSchemas } from '../api/options.ts'
import { serverSchemas } from '../api/config/settings.ts'
import type { GreenhouseConfig } from '../api/config/types.ts'
import { type Additions, additionSchemas } from '../custom/definitions.ts'
import { loadAssumptions, loadFixtures, loadScenarios, loadCase } from './load.ts'
import { findConfig } from './find-config.ts'
import { readConfig, type ConfigFile } from './read-config.ts'

/** Returns whether a folder exists and has no files yet, but hidden ones. */
export function isEmptyFolder(folder: string): boolean {
  const { readdirSync, statSync } = process.getBuiltinModule('node:fs')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false
  return readdirSync(folder).every((name) => name.startsWith('.'))
}

/** Where to look for a configuration. */
export interface LoadConfigOptions {
  /**
   * The path of the file; `'none'` for no file. By default GREENHOUSE_CONFIG, or else the nearest
   * file of `folder` and those above it.
   */
  file?: string | undefined
  /** The folder to start from. The working directory by default. */
  folder?: string | undefined
}

/** A checked configuration, and the files that it names. Empty without a file. */
export interface LoadedConfig {
  /** The absolute path of the file. */
  readonly file: string | undefined
  /** For `createGreenhouse`. */
  readonly greenhouse: GreenhouseOptions
  /** For `serve`. */
  readonly server: Pick<
    GreenhouseConfig,
    'port' | 'host' | 'allowHosts' | 'controlOrigins' | 'token' | 'tls'
  >
  /** For `createHandlers`: the base URLs. */
  readonly bases: Pick<GreenhouseConfig, 'plants' | 'apps'>
}

const schemas: SchemasOf<LoadConfigOptions> = {
  file: text('a path, such as "./greenhouse.config.ts", or "none"'),
  folder: text('the path of a folder'),
}

/**
 * Finds and loads a configuration file, as commands do.
 * @example
 * const { greenhouse, server } = await loadConfig()
 * await serve(createGreenhouse(greenhouse), server)
 * @throws DataError with every mistake; Error if a named file does not exist, or if a folder has
 * two.
 */
export function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  return withCallerStack(loadConfig, () => load(options))
}

async function load(options: LoadConfigOptions): Promise<LoadedConfig> {
  checkOptions('loadConfig', options, schemas)
  const { file: named = process.env['GREENHOUSE_CONFIG'], folder = process.cwd() } = options
  const file = findConfig(named, folder)
  if (file === undefined)
    return {
      file,
      greenhouse: {},
      server: {},
      bases: {},
    }
  const read = await readConfig(file)
  const greenhouse = readOptions(read)
  return {
    file,
    greenhouse,
    server: pickNamed(read.config, serverSchemas),
    bases: pickNamed(read.config, {
      plants: 1,
      apps: 1,
    }),
  }
}

export function readOptions(read: ConfigFile, changes: GreenhouseConfig = {}): GreenhouseOptions {
  assertAdditions(read)
  const options = toOptions({ ...read.config, ...changes }, read)
  assertCreatable(read, options)
  return options
}

/**
 * Returns the options of a Greenhouse, with the files that the configuration names. @param read
 * the file that it comes from; flags may have changed it. @throws DataError for invalid files.
 */
export function toOptions(config: GreenhouseConfig, read?: ConfigFile): GreenhouseOptions {
  const { fixtures: named, scenarios, assumptions, case: given, ...rest } = config
  const additions = toAdditions(rest)
  const load = <T>(setting: keyof GreenhouseConfig, value: string | T, of: (path: string) => T) => {
    if (typeof value !== 'string') return value
    try {
      return of(value)
    } catch (error) {
      if (error instanceof DataError || read?.config[setting] !== value) throw error
      throw read.toError([
        {
          file: read.file,
          path: [setting],
          message: toReason(error),
        },
      ])
    }
  }
  const fixtures =
    named === undefined
      ? undefined
      : load('fixtures', named, (folder) => loadFixtures(folder, additions))
  const options: GreenhouseOptions = pickNamed(rest, greenhouseSchemas)
  if (fixtures !== undefined) options.fixtures = fixtures
  if (scenarios !== undefined) {
    const known = fixtures ? { ...additions, fixtures } : additions
    options.scenarios = load('scenarios', scenarios, (folder) => loadScenarios(folder, known))
  }
  if (assumptions !== undefined)
    options.assumptions = load('assumptions', assumptions, loadAssumptions)
  if (given !== undefined) options.case = load('case', given, loadCase)
  return options
}

/**
 * @throws DataError that names the setting with an operation, a collection or a plug-in that does
 * not fit.
 */
export function assertAdditions(read: ConfigFile): void {
  const additions = toAdditions(read.config)
  if (Object.keys(additions).length > 0) assertCreatable(read, additions)
}

export function toAdditions(config: GreenhouseConfig): Additions {
  return pickNamed(config, additionSchemas)
}

function pickNamed<T extends object, R extends object>(
  all: T,
  names: R,
): Pick<T, keyof T & keyof R> {
  return Object.fromEntries(
    Object.entries(givenOf(all)).filter(([name]) => Object.hasOwn(names, name)),
  ) as never
}

/**
 * Tries to create a Greenhouse with options, some of them from a configuration. Ignores errors of
 * the other options. @throws DataError that names the setting that `createGreenhouse` refuses
 */
export function assertCreatable(read: ConfigFile, options: GreenhouseOptions): void {
  const failure = (changes: GreenhouseOptions = {}): unknown => {
    try {
      createGreenhouse({ ...options, ...changes }).close()
      return undefined
    } catch (error) {
      return error
    }
  }
  const error = failure()
  if (error === undefined) return
  const wrong = (Object.keys(options) as (keyof GreenhouseOptions)[]).find(
    (name) => Object.hasOwn(read.config, name) && failure({ [name]: undefined }) === undefined,
  )
  if (
    wrong === undefined &&
    !Object.keys(options).every((name) => Object.hasOwn(read.config, name))
  )
    return
  if (!(error instanceof DataError) || wrong === undefined)
    throw read.toError([
      {
        file: read.file,
        path: wrong === undefined ? [] : [wrong],
        message: (error as Error).message,
      },
    ])
  throw read.toError(
    error.problems.map((problem) => ({
      ...problem,
      path: toSettingPath(wrong, problem),
    })),
  )
}

/**
 * Returns the path in the configuration of a problem, whose `file` is the setting, `the option
 * "<setting>"` or `<setting>, generated`.
 */
function toSettingPath(setting: string, { file, path }: Problem): Problem['path'] {
  if (file === `the option "${setting}"`) return path
  if (file === setting) return [setting, ...path]
  const part = file.startsWith(`${setting}, `) ? file.slice(setting.length + 2) : file
  return [setting, part, ...path]
}
