import {
  type CamelCase,
  type Flag,
  readValue,
  type SwitchFlag,
  toCamelCase,
  flagsOf,
  settingKey,
  variableOf,
  type Setting,
} from '../../api/config/flag.ts'
import { type Schema, text, toStatement } from '../../core/store/options.ts'
import { readBySchema } from '../../core/store/validation-message.ts'
import { suggest } from '../../core/text/messages.ts'
import { UsageError, printError, type Terminal } from '../terminal.ts'
import { resolve } from 'node:path'
import { toReason } from '../../core/contract/errors.ts'
import { DataError } from '../../core/contract/problem.ts'
import { isSection, proxySettings, serveSettings, settings } from '../../api/config/settings.ts'
import type { Greenhouse, GreenhouseOptions } from '../../api/greenhouse.ts'
import type { GreenhouseConfig } from '../../api/config/types.ts'
import type { AssumptionChoices, ScenarioChoice } from '../../api/names.ts'
import { splitScenarios } from '../../core/world/scenario-choice.ts'
import { findConfig } from '../../files/find-config.ts'
import type { ConfigFile } from '../../files/read-config.ts'
import type { Fields } from '../../core/text/values.ts'

export const commonFlags = {
  config: {
    value: text('a file, such as greenhouse.config.ts'),
    describe:
      'Configuration file, or "none"; default: GREENHOUSE_CONFIG, or the nearest greenhouse.config.*',
  },
  version: {
    isOn: false,
    describe: 'Show version number',
  },
  help: {
    isOn: false,
    short: 'h',
    describe: 'Show help',
  },
} satisfies Flags

/** Moves `--config FILE` into the environment, which child commands get too. */
export function withConfigFlag(given: GivenFlags, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { config } = resolveFlags(commonFlags, given, env)
  if (config === undefined) return env
  return {
    ...env,
    GREENHOUSE_CONFIG: config === 'none' ? config : resolve(config),
  }
}

/** If there is no configuration file, loads no code. */
export async function openConfig(use: 'unused' | 'optional' | undefined, terminal: Terminal) {
  if (use === 'unused') return undefined
  const named = textOf('GREENHOUSE_CONFIG', terminal.env)
  try {
    const found = findConfig(named, process.cwd())
    if (found === undefined) return undefined
    return await (await import('../../files/read-config.ts')).readConfig(found)
  } catch (error) {
    if (use === 'optional' && named === undefined)
      return void printError(terminal, `${toReason(error)}\nGoing on without the configuration.\n`)
    throw error instanceof DataError ? error : new UsageError(toReason(error))
  }
}

/**
 * Flags for files, or for parts of a setting. The code that loads the files reads these settings
 * itself.
 */
export const fileFlags = ['fixtures', 'scenarios', 'assume', 'assume-file', 'case']

/** Returns what the configuration file says of those flags that are settings. */
export function toFileSettings(flags: Flags, read: ConfigFile | undefined): Fields {
  const inFile = Object.fromEntries(toSettings(read?.config ?? {}))
  const own = Object.entries(flags).filter(
    ([name, flag]) => 'schema' in flag && !fileFlags.includes(name),
  )
  return Object.fromEntries(
    own.map(([name, flag]) => [name, inFile[settingKey(name, flag as Setting & Flag)]]),
  )
}

export function toSettings(config: object): [name: string, value: unknown][] {
  return Object.entries(config).flatMap(([name, value]: [string, unknown]) => {
    if (isSection(name))
      return Object.entries(value ?? {}).map(([part, own]): [string, unknown] => [
        `${name}.${part}`,
        own,
      ])
    return [[name, value]]
  })
}

export type Flags = Readonly<Record<string, Flag>>

export type ArgumentsOf<F extends Flags> = {
  [Name in keyof F & string as CamelCase<Name>]: ArgumentOf<F[Name]>
}

type ArgumentOf<F> = F extends SwitchFlag
  ? boolean
  : F extends { readonly each: Schema<infer T> }
    ? T[]
    : F extends {
          readonly value: Schema<infer T>
          readonly default: unknown
        }
      ? T
      : F extends { readonly value: Schema<infer T> }
        ? T | undefined
        : never

type GivenFlag = boolean | readonly string[]

export type GivenFlags = Readonly<Record<string, GivenFlag>>

/** A flag wins over its variable, that over the configuration file, and that over the default. */
export function resolveFlags<F extends Flags>(
  flags: F,
  given: GivenFlags,
  env: NodeJS.ProcessEnv,
  settings: Fields = {},
): ArgumentsOf<F> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      toCamelCase(name),
      given[name] === undefined
        ? (readVariable(flag, env) ?? settings[name] ?? readGiven(name, flag, undefined))
        : readGiven(name, flag, given[name]),
    ]),
  ) as ArgumentsOf<F>
}

function readGiven(name: string, flag: Flag, given?: GivenFlag): unknown {
  if ('isOn' in flag) return given ?? flag.isOn
  const all = (given ?? []) as readonly string[]
  if ('each' in flag) return all.map((one) => readText(`--${name}`, flag.each, one))
  if (all.length > 1)
    throw new UsageError(`--${name}: it was given ${all.length} times. Give it once.`)
  const [only = flag.default] = all
  // A default that is not a string needs no parsing.
  if (typeof only === 'string') return readText(`--${name}`, flag.value, only)
  return only
}

/**
 * Kubernetes and Docker set `GREENHOUSE_PORT=tcp://10.0.0.7:4010` in every container next to a
 * service named greenhouse.
 */
export function textOf(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const text = env[variable]
  if (text === undefined || text === '' || /^(tcp|udp|sctp):\/\//.test(text)) return undefined
  return text
}

/** @param name that of the flag or the variable */
function readText<T>(name: string, schema: Schema<T>, given: string): T {
  const result = readBySchema(schema, given.trim() === '' ? '' : given, 'code')
  if ('data' in result) return result.data
  throw new UsageError(toStatement(name, result.findings[0].message))
}

/** Returns how a setting was given for this start: by its flag, or by its variable. */
export function sourcesOf(
  flag: string,
  { given = [], env }: Pick<Terminal, 'given' | 'env'>,
): string[] {
  if (given.includes(flag)) return [`--${flag}`]
  const variable = variableOf(flag)
  if (textOf(variable, env) === undefined) return []
  return [variable]
}

const prefix = 'GREENHOUSE_'

/** The variables that `run` and `flip` set for their command, and other commands read. */
const withoutFlag = [
  'CONFIG',
  'URL',
  'WORLD',
  'EVIDENCE',
  'FLIP',
  'VERIFY_KEY',
  'KEY_FREE',
  'KEY_LITE',
  'KEY_PRO',
  'KEY_PRO_PLUS',
]

/** The variables of Kubernetes and Docker for a service whose name begins with greenhouse. */
function isOfService(name: string): boolean {
  return name.endsWith('SERVICE_HOST') || name.split('_').includes('PORT')
}

export const variablesEpilogue =
  'Each flag of serve and run has a variable: --allow-host is GREENHOUSE_ALLOW_HOST. Commas separate lists; switches are true or false. Flags win over variables, and variables over greenhouse.config.ts.'

function readVariable(flag: Flags[string], env: NodeJS.ProcessEnv): unknown {
  const { variable } = flag
  const text = variable === undefined ? undefined : textOf(variable, env)
  if (variable === undefined || text === undefined) return undefined
  if ('isOn' in flag) return readText(variable, switchWord, text)
  if ('value' in flag) return readText(variable, flag.value, text)
  return text.split(',').map((one) => readText(variable, flag.each, one.trim()))
}

const switchWord = readValue('true or false', (text) => {
  const word = text.trim().toLowerCase()
  const isOn = ['true', '1', 'on', 'yes'].includes(word)
  if (isOn || ['false', '0', 'off', 'no'].includes(word)) return isOn
  return undefined
})

/**
 * @returns a line for each variable with our prefix that nobody reads: a gate that it should set
 * would not be there
 */
export function describeMisspelt(variables: readonly string[], flags: Flags): string {
  const ours = variables
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
  if (ours.length === 0) return ''
  const ofFlags = Object.values(flags).flatMap(
    ({ variable }) => variable?.slice(prefix.length) ?? [],
  )
  const known = [...ofFlags, ...withoutFlag]
  // A plan may have any name.
  const isKnown = (name: string) =>
    known.includes(name) || name.startsWith('KEY_') || isOfService(name)
  const toHint = (name: string) =>
    // A user may expect this from the name of the flag --server.
    suggest(name === 'SERVER' ? 'URL' : name.replace(/^NO_/, ''), known).replace('"', `"${prefix}`)
  return ours
    .filter((name) => !isKnown(name))
    .map((name) => `${prefix}${name}: there is no such variable.${toHint(name)}\n`)
    .join('')
}

export const serveCommandFlags = flagsOf(serveSettings)

const { open: _open, ...shared } = serveCommandFlags

/** Flags of `proxy`, which come before those of `serve`. */
export const proxyFlags = flagsOf(proxySettings)

// The configuration file's values of these are for `serve`.
const { schema: _, ...port } = shared.port
const { schema: __, ...log } = shared.log

export const servingFlags = {
  ...shared,
  port: { ...port, default: 0 },
  log: { ...log, default: 'silent' },
}

export type ServeArguments = ArgumentsOf<typeof shared> & {
  readonly proxy?: GreenhouseOptions['proxy']
}

export async function toGreenhouseOptions(
  args: Omit<ServeArguments, 'log' | 'watch'>,
  read: ConfigFile | undefined,
) {
  const { config = {} } = read ?? {}
  const base = await toFileOptions(args, read)
  const options: GreenhouseOptions = {
    ...base,
    seed: args.seed,
    now: args.now,
    frozen: args.frozen,
    assumptions: await readAssumptions(args, base?.assumptions),
    // Scenarios of the file may be objects.
    use:
      args.scenario === config.use
        ? config.use
        : (args.scenario.flatMap(splitScenarios) as ScenarioChoice[]),
    cors: args.cors,
    trace: args.trace,
    strict: args.strict,
    webhooks: {
      ...base?.webhooks,
      allow: args.webhookAllow,
    },
    bodyLimit: args.bodyLimit,
    memory: args.memory,
  }
  if (args.proxy) options.proxy = args.proxy
  if (read) (await import('../../files/load-config.ts')).assertCreatable(read, options)
  return options
}

/** Returns the options of the configuration file and of the folders; no code is loaded without. */
async function toFileOptions(
  { fixtures, scenarios }: Pick<ServeArguments, 'fixtures' | 'scenarios'>,
  read: ConfigFile | undefined,
): Promise<GreenhouseOptions | undefined> {
  if (read === undefined && fixtures === undefined && scenarios === undefined) return undefined
  const { assertAdditions, isEmptyFolder, toOptions } = await import('../../files/load-config.ts')
  if (read) assertAdditions(read)
  const config: GreenhouseConfig = { ...read?.config }
  if (fixtures !== undefined) {
    config.fixtures = fixtures
    config.case = undefined
  }
  if (scenarios !== undefined) config.scenarios = isEmptyFolder(scenarios) ? {} : scenarios
  return toOptions(config, read)
}

/** Adds the assumptions of the flags to those of the configuration file. */
async function readAssumptions(
  { assumeFile, assume }: Pick<ServeArguments, 'assumeFile' | 'assume'>,
  ofConfig: AssumptionChoices | undefined,
): Promise<AssumptionChoices | undefined> {
  if (assumeFile === undefined && assume.length === 0) return ofConfig
  const load = async (file: string) => (await import('../../files/load.ts')).loadAssumptions(file)
  const ofFile = assumeFile ? await load(assumeFile) : undefined
  return {
    ...ofConfig,
    ...ofFile,
    ...Object.fromEntries(assume),
  }
}

export async function createConfigured(
  { config }: Terminal,
  scenarios?: string,
): Promise<Greenhouse> {
  const { createGreenhouse } = await import('../../api/assembly/create.ts')
  if (!config && scenarios === undefined) return createGreenhouse()
  const { readOptions, toOptions } = await import('../../files/load-config.ts')
  const changes = scenarios === undefined ? {} : { scenarios }
  return createGreenhouse(config ? readOptions(config, changes) : toOptions(changes))
}

/** @param place the flags that may be wrong, for the message. @throws UsageError */
export function withUsageErrors<Made>(work: () => Made, place = ''): Made {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(place + error.message) : error
  }
}

export const standardServer = 'http://127.0.0.1:4010'

export const jsonFlag = {
  json: {
    isOn: false,
    describe: 'Print JSON, as the control API does',
  },
} satisfies Flags

const address = flagsOf({
  port: settings.port,
  host: settings.host,
  'tls-cert': settings['tls-cert'],
})

export function toLocalUrl({ env, config }: Terminal): string {
  const { port, host, tlsCert } = resolveFlags(address, {}, env, toFileSettings(address, config))
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const scheme = tlsCert === undefined ? 'http' : 'https'
  return toOwnUrl(new URL(`${scheme}://${name}:${port || settings.port.default}`).origin)
}

export function toOwnUrl(url: string): string {
  return url.replace(/\/\/0\.0\.0\.0\b/, '//127.0.0.1').replace('//[::]', '//[::1]')
}

/**
 * Returns variables with which programs use no proxy for some hosts, and for those that the
 * environment excepts.
 */
export function withoutProxy(
  { NO_PROXY = '', no_proxy = '' }: NodeJS.ProcessEnv,
  hosts: readonly string[],
) {
  const given = `${NO_PROXY},${no_proxy}`.split(/[,\s]+/).filter(Boolean)
  // An asterisk excepts every host, but only alone.
  const value = given.includes('*') ? '*' : [...new Set([...given, ...hosts])].join(',')
  return {
    NO_PROXY: value,
    no_proxy: value,
  }
}
