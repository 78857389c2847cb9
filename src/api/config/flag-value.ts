import { toMilliseconds } from '../../core/time/time-text.ts'
import { joinNames } from '../../core/text/messages.ts'
import { readTarget } from '../../core/http/urls.ts'

export interface FlagValue<T = string> {
  /** The end of the sentence "expected …". */
  readonly expected: string
  readonly example: string
  readonly isSecret?: boolean
  /** All that it takes, to suggest one. */
  readonly known?: readonly string[]
  /** Returns `undefined` for a text that it does not take. */
  read(text: string): T | undefined
}

interface FlagText {
  readonly describe: string
  readonly short?: string
  readonly variable?: string
}

export interface ValueFlag<T = unknown> extends FlagText {
  readonly value: FlagValue<T>
  readonly default?: T | string
  readonly defaultDescription?: string
}

export interface ListFlag<T = unknown> extends FlagText {
  readonly each: FlagValue<T>
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

export function textValue(
  expected: string,
  example: string,
  isValid: (given: string) => boolean = () => true,
): FlagValue {
  return readValue(expected, example, (given) => (isValid(given) ? given : undefined))
}

export function readValue<T>(expected: string, example: string, read: (text: string) => T | undefined): FlagValue<T> {
  return { expected, example, read }
}

export function oneOf<T extends string>(known: readonly T[], example: T): FlagValue<T> {
  return { ...readValue(joinNames(known, 'or'), example, (text) => known.find((one) => one === text)), known }
}

export function whole(expected: string, example: string, least: number, max = 999_999_999): FlagValue<number> {
  return readValue(expected, example, (text) => {
    const number = /^-?\d+$/.test(text) ? Number(text) : NaN
    return number >= least && number <= max ? number : undefined
  })
}

export function duration(expected: string, example: string, least: number, max = Infinity): FlagValue<number> {
  return readValue(expected, example, (text) => {
    try {
      const length = toMilliseconds(text)
      return length >= least && length <= max ? length : undefined
    } catch {
      return undefined
    }
  })
}

export function pair(expected: string, example: string, isComplete = false): FlagValue<[name: string, value: string]> {
  return readValue(expected, example, (text) => {
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

export const size = readValue('a number of bytes', '64MiB', (text) => {
  const [, amount, unit = 'b'] = /^(\d{1,15}) ?([KMG]i?B|B)?$/i.exec(text) ?? []
  const bytes = Number(amount) * units[unit.toLowerCase()]!
  return Number.isSafeInteger(bytes) ? bytes : undefined
})

export const target = readValue('an http or https URL without a query', 'https://api.example.com/v1', readTarget)

export const words = textValue('some words', "'429 retry'")
export const nonNegative = whole('a whole number, 0 or more', '20', 0)
