import { resolve } from 'node:path'
import { toReason } from '../../core/contract/errors.ts'
import { DataError } from '../../core/contract/problem.ts'
import { settingKey, type Setting, settings } from '../../api/config/settings.ts'
import { findConfig } from '../../files/find-config.ts'
import type { ConfigFile } from '../../files/read-config.ts'
import { UsageError } from '../errors.ts'
import { printError, type Terminal } from '../terminal.ts'
import { type FileSettings, textOf } from './flags.ts'

export const configFlag = {
  describe: 'Configuration file, or "none"; default: GREENHOUSE_CONFIG, or the nearest greenhouse.config.*',
  type: 'string',
  requiresArg: true,
} as const

const name = '--config'

const without = ['completion', '--get-yargs-completions', '--help', '-h', '--version', undefined]

/** Moves `--config FILE` into the environment, which child commands get too. */
export function takeConfigFlag(words: readonly string[], env: NodeJS.ProcessEnv) {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const found = words.flatMap((word, at) => (at < end && (word === name || word.startsWith(`${name}=`)) ? [at] : []))
  const [at, second] = found
  if (at === undefined) return { words, env }
  if (second !== undefined)
    throw new UsageError(
      `${name}: it was given ${found.length} times. Give it once, such as ${name} greenhouse.config.ts.`,
    )
  const isSeparate = words[at] === name
  const file = isSeparate ? words[at + 1] : words[at]!.slice(name.length + 1)
  // yargs reports the missing value.
  if (!file || file.startsWith('--')) return { words, env }
  const rest = [...words.slice(0, at), ...words.slice(at + (isSeparate ? 2 : 1))]
  return { words: rest, env: { ...env, GREENHOUSE_CONFIG: file === 'none' ? file : resolve(file) } }
}

/** If there is no configuration file, loads no code. */
export async function openConfig(words: readonly string[], terminal: Terminal): Promise<ConfigFile | undefined> {
  const [command, part] = words
  if (without.includes(command) || words.slice(0, 3).some((word) => word === '--help' || word === '-h'))
    return undefined
  if (command === 'case' && part === 'show') return undefined
  const named = textOf('GREENHOUSE_CONFIG', terminal.env)
  try {
    const found = findConfig(named, process.cwd())
    return found === undefined ? undefined : await (await import('../../files/read-config.ts')).readConfig(found)
  } catch (error) {
    // The file may say where the server is, but mostly it does not.
    if (command === 'status' && named === undefined)
      return void printError(terminal, `${toReason(error)}\nGoing on without the configuration.\n`)
    throw error instanceof DataError ? error : new UsageError(toReason(error))
  }
}

/** Flags for files, or for parts of a setting. The code that loads the files reads these settings itself. */
export const fileFlags = ['fixtures', 'scenarios', 'assume', 'assume-file', 'case']

export const serveOnly = ['port', 'log']

export function toFileSettings(
  flags: object,
  read: ConfigFile | undefined,
  without: readonly string[] = [],
): FileSettings {
  if (!read) return {}
  const inFile = Object.fromEntries(toSettings(read.config))
  return Object.fromEntries(
    Object.entries<Setting>(settings)
      .filter(([flag]) => flag in flags && !fileFlags.includes(flag) && !without.includes(flag))
      .map(([flag, setting]) => [flag, inFile[settingKey(flag, setting)]]),
  )
}

export function toSettings(config: object): [name: string, value: unknown][] {
  return Object.entries(config).flatMap(([name, value]: [string, unknown]) =>
    name === 'journal' || name === 'webhooks'
      ? Object.entries(value ?? {}).map(([part, own]): [string, unknown] => [`${name}.${part}`, own])
      : [[name, value]],
  )
}
