import type { ConfigFile } from '../../files/read-config.ts'

/** What the configuration file says, by flag. */
export type FileSettings = Readonly<Record<string, unknown>>

/** Settings with another name than their flag. */
const otherwiseNamed: Readonly<Record<string, string>> = {
  scenario: 'use',
  'allow-host': 'allowHosts',
  'control-origin': 'controlOrigins',
  'webhook-allow': 'webhooks.allow',
  'journal-memory': 'journal.memory',
}

/** Flags that name files, or parts of a setting: the settings of the file are used where files are loaded. */
export const fileFlags = ['fixtures', 'scenarios', 'assume', 'assume-file', 'case']

/** Settings of `serve` alone: other commands take a free port, and print what their command prints. */
export const ofServe = ['port', 'log']

/** Returns the name of a flag's setting: `bodyLimit` for `--body-limit`. */
export function toSettingName(flag: string): string {
  return otherwiseNamed[flag] ?? flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns what the configuration file says in place of flags that are not given. @param without flags that it does not stand for */
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

/** Returns all settings of a configuration: `journal.memory` for a part of one. */
export function toSettings(config: object): [name: string, value: unknown][] {
  return Object.entries(config).flatMap(([name, value]: [string, unknown]) =>
    name === 'journal' || name === 'webhooks'
      ? Object.entries(value ?? {}).map(([part, own]): [string, unknown] => [`${name}.${part}`, own])
      : [[name, value]],
  )
}
