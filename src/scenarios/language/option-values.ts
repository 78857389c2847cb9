import { planNames } from '../../core/accounts/accounts.ts'
import { toList } from '../../core/text/messages.ts'
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

/** Whether an option takes plans: all its values are names of plans, or `any`. */
export function takesPlans({ values = [] }: Pick<OptionDeclaration, 'values'>): boolean {
  const isPlan = (value: unknown) => (planNames as readonly unknown[]).includes(value)
  return values.some(isPlan) && values.every((value) => value === 'any' || isPlan(value))
}

/** Describes the values of an option for messages: `a whole number of milliseconds, 0 or more`. */
export function describeOption(declaration: OptionDeclaration): string {
  const { values, unit } = declaration
  if (values) return toList(values)
  const range = describeRange(declaration)
  const counted = unit === undefined ? '' : ` of ${unit}`
  switch (optionTypeOf(declaration)) {
    case 'integer':
      return `a whole number${counted}${range}`
    case 'number':
      return `a number${counted}${range}`
    case 'boolean':
      return 'true or false'
    case 'duration':
      return 'a duration, such as "90s", "5m" or "1h"'
    case 'string':
      return 'a string'
  }
}

function describeRange({ min, max }: OptionDeclaration): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return `, ${min} or more`
  return max === undefined ? '' : `, ${max} or less`
}

/** Returns the type of an option's values: the declared one, or the default's. */
export function optionTypeOf({ type, default: fallback }: OptionDeclaration): NonNullable<OptionDeclaration['type']> {
  return type ?? (typeof fallback as 'string' | 'number' | 'boolean')
}

export function isOfType(value: unknown, type: string): boolean {
  return type === 'integer'
    ? Number.isInteger(value)
    : type === 'duration'
      ? durationSchema.safeParse(value).success
      : typeof value === type && (type !== 'number' || Number.isFinite(value))
}

/** Whether a number is within an option's bounds. */
export function isWithin(value: unknown, { min = -Infinity, max = Infinity }: OptionDeclaration): boolean {
  return typeof value !== 'number' || (value >= min && value <= max)
}

/** Returns the listed values of an option, or its bounds, except its default. Each has its path in the declaration. */
export function choicesOf(declaration: OptionDeclaration): { path: readonly PropertyKey[]; value: unknown }[] {
  const { values, min, max, default: fallback } = declaration
  const bounds = Object.entries({ min, max }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: [name], value }],
  )
  const choices =
    values?.map((value, index) => ({ path: ['values', index], value })) ??
    (optionTypeOf(declaration) === 'boolean' ? [{ path: [], value: !fallback }] : bounds)
  return choices.filter(({ value }) => value !== fallback)
}
