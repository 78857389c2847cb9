import * as z from 'zod/mini'
import { suggest } from '../../core/text/messages.ts'
import type { EffectKind } from './effect-kind.ts'
import { accountEffect } from '../effects/account.ts'
import { assumeEffect } from '../effects/assume.ts'
import { deliverEffect } from '../effects/deliver.ts'
import { faultEffect } from '../effects/fault.ts'
import { keysEffect } from '../effects/keys.ts'
import { malformEffect } from '../effects/malform.ts'
import { paymentsEffect } from '../effects/payments.ts'
import { quotaEffect } from '../effects/quota.ts'
import { recordsEffect } from '../effects/records.ts'
import { respondEffect } from '../effects/respond.ts'
import { describeOption, isOfType, isWithin, optionTypeOf } from './option-values.ts'
import { described, optional } from './fields.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()], 'expected a string, a number, true or false')

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

/** Every kind of effect, in the order of the documentation. */
export const effectKinds: readonly EffectKind[] = [
  keysEffect,
  quotaEffect,
  accountEffect,
  assumeEffect,
  recordsEffect,
  respondEffect,
  malformEffect,
  faultEffect,
  deliverEffect,
  paymentsEffect,
]

export function whyNoEffects(data: Readonly<Record<string, unknown>>): string | undefined {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  if (effectKinds.some(({ name }) => Object.hasOwn(data, name) && isGiven(data[name]))) return undefined
  return `it has no effects: expected at least one of ${effectKinds.map(({ name }) => name).join(', ')}`
}

export const scenarioNamePattern = /^[a-z0-9-]+$/

const text = z.string().check(z.regex(/\S/, 'is blank: expected some words'))

/** Names that no option can have, because they mean something else next to the options in `{ name: 'slow', ms: 800 }`. */
const taken = ['name', 'options']

const optionName = z.string().check(
  z.regex(/^[a-z][a-z0-9-]*$/, 'the name of an option must consist of a-z, 0-9 and "-", and begin with a letter'),
  z.refine((name) => !taken.includes(name), {
    error: ({ input }) =>
      `an option can't be called "${String(input)}": the word has a meaning of its own in { name: "slow", ms: 800 }`,
  }),
)

const title = text.check(z.regex(/^[^\r\n]*$/, 'expected a single line'))

export const titleSchema = title.check(z.maxLength(200, 'expected at most 200 characters'))

export const headSchema = z.object({
  title: described(title, 'The situation in a few words.'),
  description: described(text, 'What happens, to whom, and when it ends.'),
  covers: described(text, 'What it tests in a client.'),
  tags: optional(
    z
      .array(
        z.string().check(z.regex(/^[a-z0-9-]+$/, 'expected a word of a-z, 0-9 and "-"')),
        'expected a list of words',
      )
      .check(z.minLength(1)),
    'Search words, such as "429" or retry.',
  ),
  options: optional(
    z.record(optionName, optionSchema),
    'Options by name. The value replaces ${name} in strings of effects.',
  ),
})

export type ScenarioFile = z.infer<typeof headSchema> & Record<string, unknown>
