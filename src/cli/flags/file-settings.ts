import type { ConfigFile } from '../../files/read-config.ts'
import { toCamelCase } from './flags.ts'

export type FileSettings = Readonly<Record<string, unknown>>

const settingNames: Readonly<Record<string, string>> = {
  scenario: 'use',
  'allow-host': 'allowHosts',
  'control-origin': 'controlOrigins',
  'webhook-allow': 'webhooks.allow',
  'journal-memory': 'journal.memory',
}

/** Flags for files, or for parts of a setting. The code that loads the files reads these settings itself. */
export const fileFlags = ['fixtures', 'scenarios', 'assume', 'assume-file', 'case']

/** Settings that only `serve` uses: other commands take a free port, and print what their command prints. */
export const serveOnly = ['port', 'log']

export function toSettingName(flag: string): string {
  return settingNames[flag] ?? toCamelCase(flag)
}

export function toFileSettings(
  flags: object,
  read: ConfigFile | undefined,
  without: readonly string[] = [],
): FileSettings {
  if (!read) return {}
  const settings = new Map(toSettings(read.config))
  return Object.fromEntries(
    Object.keys(flags)
      .filter((flag) => !fileFlags.includes(flag) && !without.includes(flag))
      .map((flag) => [flag, settings.get(toSettingName(flag))]),
  )
}

export function toSettings(config: object): [name: string, value: unknown][] {
  return Object.entries(config).flatMap(([name, value]: [string, unknown]) =>
    name === 'journal' || name === 'webhooks'
      ? Object.entries(value ?? {}).map(([part, own]): [string, unknown] => [`${name}.${part}`, own])
      : [[name, value]],
  )
}
