import { resolve } from 'node:path'
import { toReason } from '../../core/contract/errors.ts'
import { DataError } from '../../core/contract/problem.ts'
import { type Flag, textValue } from '../../api/config/flag-value.ts'
import { settingKey, type Setting } from '../../api/config/settings.ts'
import { findConfig } from '../../files/find-config.ts'
import type { ConfigFile } from '../../files/read-config.ts'
import { UsageError } from '../errors.ts'
import { printError, type Terminal } from '../terminal.ts'
import { type FileSettings, type Flags, type GivenFlags, resolveFlags, textOf } from './flags.ts'

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
    name === 'journal' || name === 'webhooks'
      ? Object.entries(value ?? {}).map(([part, own]): [string, unknown] => [`${name}.${part}`, own])
      : [[name, value]],
  )
}
