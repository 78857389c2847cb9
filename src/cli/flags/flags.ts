import {
  type CamelCase,
  type Flag,
  type FlagValue,
  type SwitchFlag,
  toCamelCase,
  textValue,
} from '../../api/config/flag-value.ts'
import { suggest } from '../../core/text/messages.ts'
import { UsageError, printError, type Terminal } from '../terminal.ts'
import { resolve } from 'node:path'
import { toReason } from '../../core/contract/errors.ts'
import { DataError } from '../../core/contract/problem.ts'
import { settingKey, type Setting } from '../../api/config/settings.ts'
import { findConfig } from '../../files/find-config.ts'
import type { ConfigFile } from '../../files/read-config.ts'

/** Flags of every command. */
export const commonFlags = {
  config: {
    value: textValue('a file', 'greenhouse.config.ts'),
    describe: 'Configuration file, or "none"; default: GREENHOUSE_CONFIG, or the nearest greenhouse.config.*',
  },
  version: { isOn: false, describe: 'Show version number' },
  help: { isOn: false, short: 'h', describe: 'Show help' },
} satisfies Flags

/** Moves `--config FILE` into the environment, which child commands get too. */
export function withConfigFlag(given: GivenFlags, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { config } = resolveFlags(commonFlags, given, env)
  return config === undefined ? env : { ...env, GREENHOUSE_CONFIG: config === 'none' ? config : resolve(config) }
}

/** If there is no configuration file, loads no code. */
export async function openConfig(
  use: 'unused' | 'optional' | undefined,
  terminal: Pick<Terminal, 'env' | 'stderr'>,
): Promise<ConfigFile | undefined> {
  if (use === 'unused') return undefined
  const named = textOf('GREENHOUSE_CONFIG', terminal.env)
  try {
    const found = findConfig(named, process.cwd())
    return found === undefined ? undefined : await (await import('../../files/read-config.ts')).readConfig(found)
  } catch (error) {
    if (use === 'optional' && named === undefined)
      return void printError(terminal, `${toReason(error)}\nGoing on without the configuration.\n`)
    throw error instanceof DataError ? error : new UsageError(toReason(error))
  }
}

/** Flags for files, or for parts of a setting. The code that loads the files reads these settings itself. */
export const fileFlags = ['fixtures', 'scenarios', 'assume', 'assume-file', 'case']

/** Returns what the configuration file says of those flags that are settings. */
export function toFileSettings(flags: Flags, read: ConfigFile | undefined): FileSettings {
  const inFile = Object.fromEntries(toSettings(read?.config ?? {}))
  const own = Object.entries(flags).filter(([name]) => !fileFlags.includes(name))
  return Object.fromEntries(
    own.flatMap(([name, flag]) => (isSetting(flag) ? [[name, inFile[settingKey(name, flag)]]] : [])),
  )
}

function isSetting(flag: Flag): flag is Setting & Flag {
  return 'rule' in flag
}

export function toSettings(config: object): [name: string, value: unknown][] {
  return Object.entries(config).flatMap(([name, value]: [string, unknown]) =>
    name === 'journal' || name === 'webhooks' || name === 'proxy'
      ? Object.entries(value ?? {}).map(([part, own]): [string, unknown] => [`${name}.${part}`, own])
      : [[name, value]],
  )
}

export type FileSettings = Readonly<Record<string, unknown>>

export type Flags = Readonly<Record<string, Flag>>

export type ArgumentsOf<F extends Flags> = { [Name in keyof F & string as CamelCase<Name>]: ArgumentOf<F[Name]> }

type ArgumentOf<F> = F extends SwitchFlag
  ? boolean
  : F extends { readonly each: FlagValue<infer T> }
    ? T[]
    : F extends { readonly value: FlagValue<infer T>; readonly default: unknown }
      ? T
      : F extends { readonly value: FlagValue<infer T> }
        ? T | undefined
        : never

/** What words give for a flag, not read yet. */
type GivenFlag = boolean | readonly string[]

export type GivenFlags = Readonly<Record<string, GivenFlag>>

/** A flag wins over its variable, that over the configuration file, and that over the default. */
export function resolveFlags<F extends Flags>(
  flags: F,
  given: GivenFlags,
  env: NodeJS.ProcessEnv,
  settings: FileSettings = {},
): ArgumentsOf<F> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      toCamelCase(name),
      given[name] === undefined
        ? (readVariable(flag, env) ?? settings[name] ?? readGiven(name, flag, undefined))
        : readGiven(name, flag, given[name] as GivenFlag),
    ]),
  ) as ArgumentsOf<F>
}

function readGiven(name: string, flag: Flag, given?: GivenFlag): unknown {
  if ('isOn' in flag) return given ?? flag.isOn
  const all = (given ?? []) as readonly string[]
  if ('each' in flag) return all.map((one) => readText(`--${name}`, flag.each, one))
  if (all.length > 1)
    throw new UsageError(
      `--${name}: it was given ${all.length} times. Give it once, such as --${name} ${flag.value.example}.`,
    )
  const [only = flag.default] = all
  // A default that is not a string needs no parsing.
  return typeof only === 'string' ? readText(`--${name}`, flag.value, only) : only
}

/**
 * Returns the value of a variable; `undefined` if it is missing, empty or like `GREENHOUSE_PORT=tcp://10.0.0.7:4010`, which
 * Kubernetes and Docker set in every container next to a service named greenhouse.
 */
export function textOf(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const text = env[variable]
  return text === undefined || text === '' || /^(tcp|udp|sctp):\/\//.test(text) ? undefined : text
}

function readText<T>(name: string, { expected, example, isSecret, read }: FlagValue<T>, text: string, joint = ' '): T {
  const value = text.trim() === '' ? undefined : read(text)
  if (value !== undefined) return value
  throw new UsageError(
    `${name}${isSecret || text.trim() === '' ? '' : `${joint}${text}`}: expected ${expected}, such as ${name}${joint}${example}.`,
  )
}

const prefix = 'GREENHOUSE_'

const withoutFlag = ['CONFIG', 'URL', 'WORLD', 'VERIFY_KEY', 'KEY_FREE', 'KEY_LITE', 'KEY_PRO', 'KEY_PRO_PLUS']

/** Variables that a user may expect from a flag's name, and what they are called. */
const renamed: Readonly<Record<string, string>> = { SERVER: 'URL' }

export const variablesEpilogue =
  'Each flag of serve has a variable: --allow-host is GREENHOUSE_ALLOW_HOST. Commas separate lists; switches are true or false. Flags win over variables, and variables over greenhouse.config.ts.'

function readVariable(flag: Flags[string], env: NodeJS.ProcessEnv): unknown {
  const { variable } = flag
  const text = variable === undefined ? undefined : textOf(variable, env)
  if (variable === undefined || text === undefined) return undefined
  if ('isOn' in flag) return readSwitch(variable, text)
  if ('value' in flag) return readText(variable, flag.value, text, '=')
  return text.split(',').map((one) => readText(variable, flag.each, one.trim(), '='))
}

function readSwitch(variable: string, text: string): boolean {
  const word = text.trim().toLowerCase()
  const isOn = ['true', '1', 'on', 'yes'].includes(word)
  if (isOn || ['false', '0', 'off', 'no'].includes(word)) return isOn
  throw new UsageError(`${variable}=${text}: expected true or false, such as ${variable}=true.`)
}

export function describeMisspelt(variables: readonly string[], flags: Flags): string {
  const ours = variables.filter((name) => name.startsWith(prefix))
  if (ours.length === 0) return ''
  const known = [
    ...Object.values(flags).flatMap(({ variable }) => variable?.slice(prefix.length) ?? []),
    ...withoutFlag,
  ]
  return ours.map((name) => describeOne(name.slice(prefix.length), known)).join('')
}

function describeOne(name: string, known: readonly string[]): string {
  if (known.includes(name)) return ''
  const replacement = renamed[name]
  const hint = suggest(replacement ?? name.replace(/^NO_/, ''), known).replace('"', `"${prefix}`)
  return hint === '' ? '' : `${prefix}${name}: Greenhouse has no such variable.${hint}\n`
}
