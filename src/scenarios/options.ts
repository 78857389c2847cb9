import * as z from 'zod/mini'
import { toExactNumber } from '../core/http/exact-number.ts'
import { quote } from '../core/definitions/quote.ts'
import { showValue } from '../core/definitions/shown-value.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { duration } from './duration.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()], 'expected a text, a number, true or false')

/** What a scenario file declares of one option. */
export const optionSchema = z
  .strictObject({
    description: z.optional(z.string()),
    type: z.optional(z.enum(['string', 'integer', 'number', 'boolean', 'duration'])),
    min: z.optional(z.number()),
    max: z.optional(z.number()),
    /** What a number counts: `milliseconds`. */
    unit: z.optional(z.string().check(z.regex(/\S/, 'is blank: expected a word such as "milliseconds"'))),
    values: z.optional(z.array(scalar).check(z.minLength(1))),
    default: scalar,
  })
  .check(({ value: declaration, issues }) => {
    const { type, values, min, max, unit, default: fallback } = declaration
    const wanted = type ?? typeof fallback
    const fail = (path: PropertyKey[], input: unknown, message: string) =>
      issues.push({ code: 'custom', path, input, message })
    if (!isOfType(fallback, wanted)) fail(['default'], fallback, `expected a value of type ${wanted}`)
    for (const [place, value] of values?.entries() ?? []) {
      if (!isOfType(value, wanted))
        fail(['values', place], value, `expected a value of type ${wanted}${type ? '' : ', as the default is'}`)
      if (values!.indexOf(value) < place) fail(['values', place], value, `${JSON.stringify(value)} is listed already`)
    }
    const isNumber = wanted === 'integer' || wanted === 'number'
    for (const [name, limit] of Object.entries({ min, max, unit }))
      if (limit !== undefined && !isNumber)
        fail([name], limit, `stands beside a number: expected type integer or number, not ${wanted}`)
    for (const [name, limit] of Object.entries({ min, max }))
      if (limit !== undefined && isNumber && !isOfType(limit, wanted))
        fail([name], limit, `expected a value of type ${wanted}`)
    const isSwapped = min !== undefined && max !== undefined && min > max
    if (isSwapped) fail(['max'], max, 'expected max to be no less than min')
    if (isNumber && !isSwapped && isOfType(fallback, wanted) && !isWithin(fallback, declaration))
      fail(['default'], fallback, `expected ${describeOption({ ...declaration, values: undefined })}`)
    if (values && !values.includes(fallback))
      fail(
        ['default'],
        fallback,
        `expected one of the values${typeof fallback === 'string' ? suggestion(fallback, values) : ''}`,
      )
  })

/** An option of a scenario, as its file declares it. */
export interface OptionDeclaration {
  description?: string | undefined
  /** By default the type of `default`. */
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'duration' | undefined
  /** The smallest and the largest number. */
  min?: number | undefined
  max?: number | undefined
  /** What a number counts: `milliseconds`. */
  unit?: string | undefined
  /** The only values that it takes. */
  values?: (string | number | boolean)[] | undefined
  default: string | number | boolean
}

/** The options of a scenario in full: the defaults, and what is chosen over them, read as the declared type. @throws RangeError */
export function readOptions(
  scenario: string,
  declared: Readonly<Record<string, OptionDeclaration>>,
  chosen: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, declaration] of Object.entries(declared)) values[name] = declaration.default
  for (const [given, value] of Object.entries(chosen)) {
    if (value === undefined) continue
    const name =
      given === 'operation' && !Object.hasOwn(declared, given) && Object.hasOwn(declared, 'on') ? 'on' : given
    if (!Object.hasOwn(declared, name))
      throw new RangeError(
        `Failed to use "${scenario}": it has no option ${quote(name)}${optionList(declared)}.${suggest(name, Object.keys(declared))}`,
      )
    values[name] = readOption(scenario, name, declared[name]!, value)
  }
  return values
}

/** Puts the options' values in place of `${name}` wherever a file's strings hold it. A string that is nothing else becomes the value itself. */
export function fillIn(value: unknown, options: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{([a-z][a-z0-9-]*)\}$/.exec(value)?.[1]
    if (whole !== undefined && Object.hasOwn(options, whole)) return options[whole]
    return value.replace(/\$\{([a-z][a-z0-9-]*)\}/g, (text, name: string) =>
      Object.hasOwn(options, name) ? String(options[name]) : text,
    )
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, options))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, options)]))
}

/** What can be chosen of an option in place of its default, as far as it is listed or bounded, and where below its declaration. */
export function choicesOf({
  type,
  values,
  min,
  max,
  default: fallback,
}: OptionDeclaration): { path: readonly PropertyKey[]; value: unknown }[] {
  const isSwitch = (type ?? typeof fallback) === 'boolean'
  const bounds = Object.entries({ min, max }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: [name], value }],
  )
  const choices =
    values?.map((value, place) => ({ path: ['values', place], value })) ??
    (isSwitch ? [{ path: [], value: !fallback }] : bounds)
  return choices.filter(({ value }) => value !== fallback)
}

/** Where a string holds `${name}`; without a name where the brace is never closed. */
export interface Placeholder {
  readonly path: readonly PropertyKey[]
  readonly name: string | undefined
}

/** Every placeholder in a file's strings, whatever its name. */
export function findPlaceholders(value: unknown, path: readonly PropertyKey[] = []): Placeholder[] {
  if (typeof value === 'string') return [...value.matchAll(/\$\{(?:([^}]*)\})?/g)].map(([, name]) => ({ path, name }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findPlaceholders(item, [...path, name]))
}

function readOption(scenario: string, name: string, declaration: OptionDeclaration, given: unknown): unknown {
  const { values } = declaration
  const wanted = typeOf(declaration)
  const value =
    typeof given === 'string' && wanted !== 'string' && wanted !== 'duration' ? fromText(given, wanted) : given
  if (isOfType(value, wanted) && (!values || values.includes(value as string)) && isWithin(value, declaration))
    return value
  throw new RangeError(
    `Failed to use "${scenario}": the option "${name}" takes ${describeOption(declaration)}; ${showValue(given)} was given.${values ? suggest(String(given), values.map(String)) : ''}`,
  )
}

/** What an option takes, in words: `a whole number of milliseconds, 0 or more`. */
export function describeOption(declaration: OptionDeclaration): string {
  const { values, unit, min, max } = declaration
  if (values)
    return values.length === 1
      ? JSON.stringify(values[0])
      : `one of ${values.map((known) => JSON.stringify(known)).join(', ')}`
  const range =
    min === undefined
      ? max === undefined
        ? ''
        : `, ${max} or less`
      : max === undefined
        ? `, ${min} or more`
        : ` from ${min} to ${max}`
  const counted = unit === undefined ? '' : ` of ${unit}`
  switch (typeOf(declaration)) {
    case 'integer':
      return `a whole number${counted}${range}`
    case 'number':
      return `a number${counted}${range}`
    case 'boolean':
      return 'true or false'
    case 'duration':
      return 'a length of time, such as "90s", "5m" or "1h"'
    case 'string':
      return 'a text'
  }
}

function typeOf({ type, default: fallback }: OptionDeclaration): NonNullable<OptionDeclaration['type']> {
  return type ?? (typeof fallback as 'string' | 'number' | 'boolean')
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'integer'
    ? Number.isInteger(value)
    : type === 'duration'
      ? duration.safeParse(value).success
      : typeof value === type && (type !== 'number' || Number.isFinite(value))
}

function isWithin(value: unknown, { min = -Infinity, max = Infinity }: OptionDeclaration): boolean {
  return typeof value !== 'number' || (value >= min && value <= max)
}

function suggestion(wrong: string, values: readonly unknown[]): string {
  const near = suggest(wrong, values.map(String))
  return near && `.${near}`
}

function fromText(text: string, type: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const number = Number(text)
  // A fraction that a double makes an integer of is still none.
  const isChanged = Number.isInteger(number) && isJsonNumber.test(text) && toExactNumber(text) !== number
  return text.trim() === '' || isChanged ? text : number
}

const isJsonNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/

function optionList(declared: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(declared)
  return names.length === 0 ? ' or any other' : `, only ${names.join(', ')}`
}
