import * as z from 'zod/mini'
import {
  expecting,
  type Schema,
  shortText,
  wholeNumber,
  section,
} from '../../core/store/options.ts'
import { toMilliseconds } from '../../core/time/time-text.ts'
import { readTarget } from '../../core/http/urls.ts'
import { mapFields } from '../../core/text/values.ts'
import { readBySchema } from '../../core/store/validation-message.ts'
import type { GreenhouseConfig } from './types.ts'

interface FlagText {
  readonly describe: string
  readonly short?: string
  readonly variable?: string
}

export interface ValueFlag<T = unknown> extends FlagText {
  /** Its schema, for a text. */
  readonly value: Schema<T>
  readonly default?: T | string
  readonly defaultDescription?: string
}

interface ListFlag<T = unknown> extends FlagText {
  /** The schema of each text. */
  readonly each: Schema<T>
}

export interface SwitchFlag extends FlagText {
  readonly isOn: boolean
}

export type Flag = ValueFlag | ListFlag | SwitchFlag

export type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export function toCamelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** @param read returns `undefined` for a text that it does not take. */
export function readValue<T>(words: string, read: (text: string) => T | undefined): Schema<T> {
  const { error } = expecting(words)
  const convert = z.transform((text: string, { issues }) => {
    const value = text.trim() === '' ? undefined : read(text)
    if (value === undefined)
      issues.push({
        code: 'custom',
        input: text,
        message: error({ input: text }),
      })
    return value as T
  })
  return z.pipe(z.string(), convert)
}

/** The schema of a number, for a text. */
export function fromNumber(schema: Schema<number>): Schema<number> {
  return z.pipe(
    z.transform((text) => {
      if (/^-?\d+$/.test(String(text))) return Number(text)
      return text
    }),
    schema,
  )
}

export function duration(words: string, least: number, max = Infinity): Schema<number> {
  return readValue(words, (text) => {
    try {
      const length = toMilliseconds(text)
      if (length >= least && length <= max) return length
      return undefined
    } catch {
      return undefined
    }
  })
}

export function pair(words: string, isComplete = false): Schema<[name: string, value: string]> {
  return readValue(words, (text) => {
    const equals = text.indexOf('=')
    if (equals < 1 || (isComplete && equals === text.length - 1)) return undefined
    return [text.slice(0, equals), text.slice(equals + 1)]
  })
}

const units: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}

export const size = readValue('a number of bytes, such as 64MiB', (text) => {
  const [, amount, unit = 'b'] = /^(\d{1,15}) ?([KMG]i?B|B)?$/i.exec(text) ?? []
  const bytes = Number(amount) * units[unit.toLowerCase()]!
  if (Number.isSafeInteger(bytes)) return bytes
  return undefined
})

export const target = readValue(
  'an http or https URL without a query, such as https://api.example.com/v1',
  readTarget,
)

export const words = shortText("some words, such as '429 retry'")
export const nonNegative = fromNumber(
  wholeNumber('a whole number, 0 or more, such as 20', 0, 999_999_999),
)

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
