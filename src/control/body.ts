import en from 'zod/v4/locales/en.js'
import type * as z from 'zod/mini'
import { isObject } from '../core/contract/options.ts'
import { JsonError, parseJson } from '../core/http/json.ts'
import { ControlError } from './errors.ts'
import { toBodySentence } from './sentence.ts'

export const inEnglish = { error: en().localeError }

/** The most fields of a body, or of a map in it: more than there are assumptions, or collections. */
export const maxFields = 1_000

export function parseJsonBody(text: string): unknown {
  if (text === '') return {}
  const value = parse(text)
  // Only such a text can contain `__proto__`.
  if (text.includes('__proto__') || text.includes('\\u')) assertNoPrototype(value)
  if (isObject(value) && Object.keys(value).length > maxFields)
    throw invalid(`The body has more than ${maxFields} fields.`)
  return value
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof JsonError ? invalid(error.message) : error
  }
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

export function invalid(message: string): ControlError {
  return new ControlError(400, 'invalid_request', message)
}
