import { type Schema, section } from '../../core/store/options.ts'
import { mapFields } from '../../core/text/values.ts'
import { readBySchema } from '../../core/store/validation-message.ts'
import { type CamelCase, type Flag, toCamelCase } from './flag.ts'
import type { GreenhouseConfig } from './types.ts'

type ConfigKey =
  | keyof GreenhouseConfig
  | `journal.${keyof NonNullable<GreenhouseConfig['journal']>}`
  | `webhooks.${keyof NonNullable<GreenhouseConfig['webhooks']>}`
  | `proxy.${keyof NonNullable<GreenhouseConfig['proxy']>}`
  | `tls.${keyof NonNullable<GreenhouseConfig['tls']>}`

interface SettingText {
  /** The sentence of help and of the documentation. */
  readonly describe: string
  /** The schema of the values that the configuration file, and code, may give it. */
  readonly schema: Schema
  /**
   * Its name in the configuration file, if that is not its own in camelCase; with a dot if it is
   * part of another.
   */
  readonly key?: ConfigKey
  readonly defaultDescription?: string
  /** For a limit, the outcome past it: docs/limits.md lists the limits. */
  readonly past?: string
}

export type Setting = SettingText | (SettingText & Flag)

type SettingsWithFlag<S> = { [Name in keyof S as S[Name] extends Flag ? Name : never]: S[Name] }

export function flagsOf<S extends Readonly<Record<string, Setting>>>(all: S): SettingsWithFlag<S> {
  const withFlag = Object.entries(all).filter(([, setting]) => isFlag(setting))
  return withVariables(Object.fromEntries(withFlag)) as SettingsWithFlag<S>
}

/** Gives each flag its variable. */
export function withVariables<F extends Readonly<Record<string, object>>>(flags: F): F {
  return mapFields(flags, (flag, name) => ({
    ...flag,
    variable: variableOf(name),
  })) as F
}

export function isFlag(setting: Setting): setting is SettingText & Flag {
  return 'isOn' in setting || 'value' in setting || 'each' in setting
}

/** Returns the variable of a flag: GREENHOUSE_ALLOW_HOST for `--allow-host`. */
export function variableOf(flag: string): string {
  return `GREENHOUSE_${flag.toUpperCase().replaceAll('-', '_')}`
}

export function settingKey(name: string, { key }: Setting): string {
  return key ?? toCamelCase(name)
}

export function flagsByKey(all: Readonly<Record<string, Setting>>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, setting] of Object.entries(all)) {
    const key = settingKey(name, setting)
    const flags = found.get(key) ?? []
    found.set(key, isFlag(setting) ? [...flags, name] : flags)
  }
  return found
}

type KeyOf<S> = {
  [Name in keyof S & string]: S[Name] extends { readonly key: infer Key extends string }
    ? Key
    : CamelCase<Name>
}[keyof S & string]

type TopOf<Key extends string> = Key extends `${infer Top}.${string}` ? Top : Key

export function toSchemas<S extends Readonly<Record<string, Setting>>>(
  all: S,
): Readonly<Record<TopOf<KeyOf<S>>, Schema>> {
  const schemas: Record<string, Schema> = {}
  const sections: Record<string, Record<string, Schema>> = {}
  for (const [name, setting] of Object.entries(all)) {
    const [key, below] = settingKey(name, setting).split('.') as [string, string?]
    if (below === undefined) schemas[key] = setting.schema
    else {
      const members = (sections[key] ??= {})
      members[below] = setting.schema
      schemas[key] = section(members)
    }
  }
  return schemas as Readonly<Record<TopOf<KeyOf<S>>, Schema>>
}

/** Returns what a setting takes, in words. */
export function expectedBy({ schema }: Setting): string {
  const [finding] = readBySchema(schema, undefined, 'config').findings
  return finding?.message.replace('is missing: expected ', '') ?? ''
}
