import * as z from 'zod/mini'
import { expecting, type Schema, shortText, wholeNumber } from '../../core/store/options.ts'
import { toMilliseconds } from '../../core/time/time-text.ts'
import { readTarget } from '../../core/http/urls.ts'

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
