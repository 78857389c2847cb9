import * as z from 'zod/mini'
import { planNames } from '../../core/accounts/accounts.ts'
import { isObject } from '../../core/contract/options.ts'
import { toExactNumber } from '../../core/http/json.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { codedError } from '../../core/text/error-codes.ts'
import {
  brief,
  describeProblem,
  joinNames,
  quote,
  showValue,
  suggest,
  toList,
} from '../../core/text/messages.ts'
import { mapStrings, valueAt, type Fields } from '../../core/text/values.ts'
import { RejectedOptionError } from '../../core/world/effective-settings.ts'
import { type ConditionName, conditionNames } from './condition.ts'
import { described, optional } from '../../core/contract/zod.ts'
import { durationSchema } from './fields.ts'

/** An option of a scenario, as its file declares it. */
export interface OptionDeclaration {
  description?: string | undefined
  /** The type of its values. By default, the type of `default`. */
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'duration' | undefined
  /** The smallest and the largest number. */
  min?: number | undefined
  max?: number | undefined
  /** The unit of a number: `milliseconds`. */
  unit?: string | undefined
  /** The only allowed values. */
  values?: (string | number | boolean)[] | undefined
  default: string | number | boolean
}

export function takesPlans({ values = [] }: { values?: OptionDeclaration['values'] }): boolean {
  const isPlan = (value: unknown) => (planNames as readonly unknown[]).includes(value)
  return values.some(isPlan) && values.every((value) => value === 'any' || isPlan(value))
}

/** Adds the user's own plans to options that take plans. @param plans the bundled ones first */
export function withOwnPlans(options: Declared, plans: readonly string[]): Declared {
  const own = plans.slice(planNames.length)
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      takesPlans(option)
        ? {
            ...option,
            values: option.values?.concat(own),
          }
        : option,
    ]),
  )
}

/** Describes the values of an option: `a whole number of milliseconds, 0 or more`. */
export function describeOption(declaration: OptionDeclaration): string {
  const { values, unit } = declaration
  if (values) return toList(values)
  const range = describeRange(declaration)
  const counted = unit === undefined ? '' : ` of ${unit}`
  return {
    integer: `a whole number${counted}${range}`,
    number: `a number${counted}${range}`,
    boolean: 'true or false',
    duration: 'a duration, such as "90s", "5m" or "1h"',
    string: 'a string',
  }[optionTypeOf(declaration)]
}

function describeRange({ min, max }: OptionDeclaration): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return `, ${min} or more`
  return max === undefined ? '' : `, ${max} or less`
}

export function optionTypeOf({
  type,
  default: fallback,
}: OptionDeclaration): NonNullable<OptionDeclaration['type']> {
  return type ?? (typeof fallback as 'string' | 'number' | 'boolean')
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  if (type === 'duration') return durationSchema.safeParse(value).success
  return typeof value === type
}

function acceptsValue(declaration: OptionDeclaration, value: unknown): boolean {
  const { values, min = -Infinity, max = Infinity } = declaration
  if (!isOfType(value, optionTypeOf(declaration)) || (values && !values.includes(value as string)))
    return false
  return typeof value !== 'number' || (value >= min && value <= max)
}

/**
 * Returns the listed values of an option, or its bounds, except its default. Each has its path in
 * the declaration.
 */
export function choicesOf(declaration: OptionDeclaration): {
  path: readonly PropertyKey[]
  value: unknown
}[] {
  const { values, min, max, default: fallback } = declaration
  if (optionTypeOf(declaration) === 'boolean' && !values) return [{ path: [], value: !fallback }]
  const bounds = [
    { path: ['min'], value: min },
    { path: ['max'], value: max },
  ]
  const choices =
    values?.map((value, index) => ({
      path: ['values', index],
      value,
    })) ?? bounds
  return choices.filter(({ value }) => value !== undefined && value !== fallback)
}

const scalar = z.union(
  [z.string(), z.number(), z.boolean()],
  'expected a string, a number, true or false',
)

export const optionSchema = z
  .strictObject({
    description: optional(z.string(), 'What the option decides.'),
    type: optional(
      z.enum(['string', 'integer', 'number', 'boolean', 'duration']),
      'The type of its values; by default the type of the default.',
    ),
    min: optional(z.number(), 'The smallest number.'),
    max: optional(z.number(), 'The largest number.'),
    unit: optional(
      z.string().check(z.regex(/\S/, 'is blank: expected a word such as "milliseconds"')),
      'What a number counts, for messages: milliseconds, bytes, requests.',
    ),
    values: optional(z.array(scalar).check(z.minLength(1)), 'The only values that can be chosen.'),
    default: described(scalar, 'The value when nothing is chosen.'),
  })
  .check(({ value: declaration, issues }) => {
    for (const [path, isWrong, message] of optionRules(declaration))
      if (isWrong)
        issues.push({
          code: 'custom',
          path,
          input: valueAt(declaration, path),
          message,
        })
  })

/** A rule of a declaration: the path that a message names, and whether the rule is broken. */
type OptionRule = [path: PropertyKey[], isWrong: boolean, message: string]

function optionRules(declaration: OptionDeclaration): OptionRule[] {
  const { min, max, values = [], default: fallback } = declaration
  const wanted = optionTypeOf(declaration)
  const isNumber = wanted === 'integer' || wanted === 'number'
  const numbersOnly = `applies to numbers only: expected type integer or number, not ${wanted}`
  const isFraction = (bound = 0) => wanted === 'integer' && !Number.isInteger(bound)
  const isSwapped = Number(min) > Number(max)
  const unlisted = {
    ...declaration,
    values: undefined,
  }
  const expected = `expected ${describeOption(unlisted)}`
  const isOutside = (value: unknown) => !isSwapped && !acceptsValue(unlisted, value)
  const hint = suggest(String(fallback), values.map(String))
  return [
    [['default'], isOutside(fallback), expected],
    ...values.flatMap((value, index): OptionRule[] => [
      [['values', index], isOutside(value), expected],
      [
        ['values', index],
        values.indexOf(value) < index,
        `${JSON.stringify(value)} is listed already`,
      ],
    ]),
    ...(['min', 'max', 'unit'] as const).map((name): OptionRule => [
      [name],
      declaration[name] !== undefined && !isNumber,
      numbersOnly,
    ]),
    [['min'], isFraction(min), 'expected a whole number'],
    [['max'], isFraction(max), 'expected a whole number'],
    [['max'], isSwapped, 'expected max to be at least min'],
    [
      ['default'],
      values.length > 0 && !values.includes(fallback),
      `expected one of "values"${hint && `.${hint}`}`,
    ],
  ]
}

/**
 * The options by which every scenario can be narrowed when it is switched on. Those that its file
 * declares keep their own meaning.
 */
export const conditionOptions: Readonly<Record<ConditionName, OptionDeclaration>> = {
  on: {
    description: 'Which operations, an id or a glob such as plants.*',
    default: '*',
  },
  account: {
    description: 'Which account; any for all',
    default: 'any',
  },
  key: {
    description: 'Which key; any for all',
    default: 'any',
  },
  plan: {
    description: 'Which plan; any for all',
    values: ['any', ...planNames],
    default: 'any',
  },
  times: {
    description: 'How many times at most; 0 for no limit',
    type: 'integer',
    min: 0,
    default: 0,
  },
}

/** The conditions that stand in the `where` of an effect. */
export const whereNames = ['account', 'key', 'plan'] as const

/** Options by name, as a file declares them. */
export type Declared = Readonly<Record<string, OptionDeclaration>>

/** The conditions that were chosen when the scenario was switched on. */
export interface Narrowing {
  readonly on?: string
  readonly account?: string
  readonly key?: string
  readonly plan?: string
  readonly times?: number
}

/**
 * Checks what was chosen for a scenario, and separates the values of its options from conditions.
 * `declared` are those of its file, `conditions` those that it takes in addition.
 * @param placeholders those of its file. @throws RejectedOptionError
 */
export function chooseOptions(
  scenario: string,
  {
    declared,
    conditions,
  }: {
    readonly declared: Declared
    readonly conditions: Declared
  },
  placeholders: readonly Placeholder[],
  chosen: Fields,
): {
  readonly values: Fields
  readonly narrowing: Narrowing
} {
  const values = defaultsOf(declared)
  const narrowing: Record<string, unknown> = {}
  const known = { ...conditions, ...declared }
  for (const [given, value] of Object.entries(
    flattenWhere(scenario, declared, placeholders, chosen),
  )) {
    if (value === undefined) continue
    const name = given === 'operation' && !Object.hasOwn(declared, given) ? 'on' : given
    const declaration = Object.hasOwn(known, name) ? known[name] : undefined
    if (!declaration) {
      const names = Object.keys({ ...declared, ...conditions })
      return rejectOptions(
        scenario,
        [given],
        describeProblem('there is no such option', name, names, true),
      )
    }
    const accepted = readOption(scenario, name, declaration, value)
    if (Object.hasOwn(declared, name)) values[name] = accepted
    else if (accepted !== declaration.default) narrowing[name] = accepted
  }
  const inOrder = conditionNames.filter((name) => Object.hasOwn(narrowing, name))
  return {
    values,
    narrowing: Object.fromEntries(inOrder.map((name) => [name, narrowing[name]])),
  }
}

function readOption(
  scenario: string,
  name: string,
  declaration: OptionDeclaration,
  given: unknown,
): unknown {
  const wanted = optionTypeOf(declaration)
  const value = typeof given === 'string' ? parseOptionText(given, wanted) : given
  if (acceptsValue(declaration, value)) return value
  const suggestion = suggest(String(given), (declaration.values ?? []).map(String))
  const expected = describeOption(declaration)
  return rejectOptions(
    scenario,
    [name],
    `expected ${expected}, received ${showValue(given)}.${suggestion}`,
  )
}

/** @throws RejectedOptionError */
export function rejectOptions(scenario: string, names: readonly string[], problem: string): never {
  const message = `Failed to use "${scenario}": ${joinNames(names.map(brief), 'and')}: ${problem}`
  throw new RejectedOptionError(message, scenario, names, problem)
}

function parseOptionText(text: string, type: string): unknown {
  if (type === 'string' || type === 'duration') return text
  if (type === 'boolean') {
    if (['true', 'false'].includes(text)) return text === 'true'
    return text
  }
  const number = Number(text)
  // A fraction that a double would round to an integer is not an integer.
  const isChanged =
    Number.isInteger(number) && jsonNumber.test(text) && toExactNumber(text) !== number
  if (text.trim() === '' || isChanged) return text
  return number
}

const jsonNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/

/**
 * Returns what was chosen, with the fields of `where` as options of these names. An option that the
 * file declares under such a name must have the meaning of the field. @throws RejectedOptionError
 */
function flattenWhere(
  scenario: string,
  declared: Declared,
  placeholders: readonly Placeholder[],
  chosen: Fields,
) {
  const { where, ...others } = chosen
  if (where === undefined || Object.hasOwn(declared, 'where')) return chosen
  const reject = (problem: string) => rejectOptions(scenario, ['where'], problem)
  if (!isObject(where))
    return reject(`expected an object with account, key or plan, received ${showValue(where)}`)
  const options: Record<string, unknown> = others
  for (const [name, value] of Object.entries(where)) {
    if (!whereNames.some((known) => known === name))
      reject(describeProblem(`there is no such field ${quote(name)}`, name, whereNames, true))
    const isWhere = placeholders.some(
      (one) => one.name === name && String(one.path.slice(-2)) === `where,${name}`,
    )
    if (Object.hasOwn(declared, name) && !isWhere)
      reject(`the scenario has an option "${name}" with another meaning`)
    if (value !== undefined) options[name] = value
  }
  return options
}

/** `${name}`, or `$${`, which means `${` itself. */
const placeholderPattern = /\$\$\{|\$\{([a-z][a-z0-9-]*)\}/g

/**
 * Replaces `${name}` in all strings with the option's value. A string that is only a placeholder
 * becomes the value itself.
 */
export function fillIn<T>(value: T, options: Fields): T {
  return mapStrings(value, (text) => {
    const whole = text.slice(2, -1)
    if (text === `\${${whole}}` && Object.hasOwn(options, whole)) return options[whole]
    return text.replace(placeholderPattern, (part, name: string | undefined) => {
      if (name === undefined) return '${'
      if (Object.hasOwn(options, name)) return String(options[name])
      return part
    })
  }) as T
}

/** Escapes `${`, which starts an option, in all texts of a value. */
export function escapeOptions(value: unknown): unknown {
  return mapStrings(value, (text) => text.replaceAll('${', () => '$${'))
}

export function defaultsOf(declared: Declared): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, option]) => [name, option.default]),
  )
}

/** A `${name}` in a string. The name is `undefined` if the brace is never closed. */
export interface Placeholder {
  readonly path: readonly PropertyKey[]
  readonly name: string | undefined
}

export function findPlaceholders(value: unknown, path: readonly PropertyKey[] = []): Placeholder[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\$\$\{|\$\{(?:([^}]*)\})?/g)]
      .filter(([text]) => text !== '$${')
      .map(([, name]) => ({ path, name }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findPlaceholders(item, [...path, name]))
}

/** Returns whether a path is that of a place, or of a part of it. */
export function isPathWithin(path: readonly PropertyKey[], place: readonly PropertyKey[]): boolean {
  return place.every((step, depth) => String(step) === String(path[depth]))
}

/** Throws an error that names the options that cause a mistake, or else its place in the file. */
export function rejectFinding(
  name: string,
  finding: Finding,
  placeholders: readonly Placeholder[],
  options: Fields,
): never {
  const { path, message } = finding
  const names = optionsAt(finding, placeholders)
  if (names.length === 0)
    throw codedError(
      'GREENHOUSE_INVALID_SCENARIO',
      `Failed to use "${name}" with these options: ${path.map(String).join('.')}: ${message}`,
    )
  const values = names.map((option) => showValue(options[option])).join(' and ')
  rejectOptions(
    name,
    names,
    `can't be ${values}: ${message.replace(/^Invalid (input|option): /, '')}`,
  )
}

/** Returns the options that fill in the place of a mistake, or else places within it. */
export function optionsAt({ path }: Finding, placeholders: readonly Placeholder[]): string[] {
  const within = placeholders.filter((one) => isPathWithin(one.path, path))
  const exact = within.filter((one) => one.path.length === path.length)
  return [...new Set((exact.length > 0 ? exact : within).flatMap(({ name }) => name ?? []))]
}
