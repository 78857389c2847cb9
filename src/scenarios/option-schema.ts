import * as z from 'zod/mini'
import { suggest } from '../core/definitions/suggest.ts'
import { describeOption, isOfType, isWithin, optionTypeOf } from './option-values.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()], 'expected a string, a number, true or false')

export const optionSchema = z
  .strictObject({
    description: z.optional(z.string()).check(z.describe('What the option decides.')),
    type: z
      .optional(z.enum(['string', 'integer', 'number', 'boolean', 'duration']))
      .check(z.describe('The type of its values; by default the type of the default.')),
    min: z.optional(z.number()).check(z.describe('The smallest number.')),
    max: z.optional(z.number()).check(z.describe('The largest number.')),
    unit: z
      .optional(z.string().check(z.regex(/\S/, 'is blank: expected a word such as "milliseconds"')))
      .check(z.describe('What a number counts, for messages: milliseconds, bytes, requests.')),
    values: z.optional(z.array(scalar).check(z.minLength(1))).check(z.describe('The only values that can be chosen.')),
    default: scalar.check(z.describe('The value when nothing is chosen.')),
  })
  .check(({ value: declaration, issues }) => {
    const { type, values, min, max, unit, default: fallback } = declaration
    const wanted = optionTypeOf(declaration)
    const fail = (path: PropertyKey[], input: unknown, message: string) =>
      issues.push({ code: 'custom', path, input, message })
    if (!isOfType(fallback, wanted)) fail(['default'], fallback, `expected a value of type ${wanted}`)
    for (const [index, value] of values?.entries() ?? []) {
      if (!isOfType(value, wanted))
        fail(['values', index], value, `expected a value of type ${wanted}${type ? '' : ', like the default'}`)
      if (values!.indexOf(value) < index) fail(['values', index], value, `${JSON.stringify(value)} is listed already`)
    }
    const isNumber = wanted === 'integer' || wanted === 'number'
    for (const [name, limit] of Object.entries({ min, max, unit }))
      if (limit !== undefined && !isNumber)
        fail([name], limit, `applies to numbers only: expected type integer or number, not ${wanted}`)
    for (const [name, limit] of Object.entries({ min, max }))
      if (limit !== undefined && isNumber && !isOfType(limit, wanted))
        fail([name], limit, `expected a value of type ${wanted}`)
    const isSwapped = min !== undefined && max !== undefined && min > max
    if (isSwapped) fail(['max'], max, 'expected max to be at least min')
    if (isNumber && !isSwapped && isOfType(fallback, wanted) && !isWithin(fallback, declaration))
      fail(['default'], fallback, `expected ${describeOption({ ...declaration, values: undefined })}`)
    if (values && !values.includes(fallback))
      fail(
        ['default'],
        fallback,
        `expected one of "values"${typeof fallback === 'string' ? suggestValue(fallback, values) : ''}`,
      )
  })

function suggestValue(wrong: string, values: readonly unknown[]): string {
  const suggestion = suggest(wrong, values.map(String))
  return suggestion && `.${suggestion}`
}
