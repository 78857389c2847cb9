import type * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { isObject } from '../core/contract/options.ts'
import { parseJson } from '../core/http/json.ts'
import { fieldsAt } from '../core/store/validation-message.ts'
import { describeProblem, quote, suggest } from '../core/text/messages.ts'
import { valueAt } from '../core/text/values.ts'
import { invalid } from './errors.ts'

export const inEnglish = { error: en().localeError }

/** The most fields of a body, or of a map in it: more than there are assumptions, or collections. */
export const maxFields = 1_000

export function parseJsonBody(text: string): unknown {
  if (text === '') return {}
  const value = parseJson(text)
  // Only such a text can contain `__proto__`.
  if (text.includes('__proto__') || text.includes('\\u')) assertNoPrototype(value)
  if (isObject(value) && Object.keys(value).length > maxFields)
    throw invalid(`The body has more than ${maxFields} fields.`)
  return value
}

/** Refuses `__proto__`, which schemas would ignore. */
function assertNoPrototype(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid('The name "__proto__" is not allowed in a body.')
  if (Array.isArray(value)) value.forEach(assertNoPrototype)
  else for (const member of Object.values(value)) assertNoPrototype(member)
}

const maxListed = 5

export function check<T>(schema: z.ZodMiniType<T>, value: unknown, place = ''): T {
  const result = schema.safeParse(value, inEnglish)
  if (result.success) return result.data
  const { issues } = result.error
  const sentences = issues.slice(0, maxListed).map(
    (issue) =>
      [place, ...issue.path]
        .filter((step) => step !== '')
        .map(String)
        .join('.')
        .replace(/(.)$/, '$1: ') + toBodySentence(issue, schema, value),
  )
  throw invalid(sentences.join('; ') + (issues.length > maxListed ? `; and ${issues.length - maxListed} more` : ''))
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

export function toBodySentence(issue: z.core.$ZodIssue, schema: z.ZodMiniType, body: unknown): string {
  const given = valueAt(body, issue.path)
  switch (issue.code) {
    case 'invalid_type':
      if (given === undefined && issue.path.length > 0)
        return `is missing: expected ${types[issue.expected] ?? issue.expected}`
      return `expected ${types[issue.expected] ?? issue.expected}, received ${show(given)}`
    case 'invalid_value':
      return `expected one of ${issue.values.map(String).join(', ')}, received ${show(given)}.${typeof given === 'string' ? suggest(given, issue.values.map(String)) : ''}`
    case 'unrecognized_keys': {
      const known = fieldsAt(schema, issue.path, body)
      const unknown = issue.keys
        .slice(0, maxListed)
        .map((key) => describeProblem(`there is no field ${quote(key)}`, key, known))
      const rest = issue.keys.length > maxListed ? ` ${issue.keys.length - maxListed} more are unknown.` : ''
      return `${unknown.join(' ')}${rest} It takes ${known.join(', ')}.`
    }
    default:
      return issue.message
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
