import * as z from 'zod/mini'
import { planNames } from '../../core/accounts/accounts.ts'
import { suggest, toList } from '../../core/text/messages.ts'
import { type Fields, mapFields, mapStrings, valueAt } from '../../core/text/values.ts'
import type { ConditionName } from './condition.ts'
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
  return mapFields(options, (option) => {
    if (takesPlans(option)) return { ...option, values: option.values?.concat(own) }
    return option
  })
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

export function acceptsValue(declaration: OptionDeclaration, value: unknown): boolean {
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
  return mapFields(declared, (option) => option.default)
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
