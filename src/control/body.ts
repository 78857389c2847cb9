import type * as z from 'zod/mini'
import { isObject } from '../core/contract/options.ts'
import { parseJson } from '../core/http/json.ts'
import { readBySchema } from '../core/store/validation-message.ts'
import { invalid } from './call.ts'

/**
 * The most fields of a body, or of a map in it: more than there are assumptions, or collections.
 */
export const maxFields = 1_000

export function parseJsonBody(text: string): unknown {
  if (text === '') return {}
  const value = parseJson(text)
  // Another text cannot contain `__proto__`.
  if (text.includes('__proto__') || text.includes('\\u')) assertNoPrototype(value)
  if (isObject(value) && Object.keys(value).length > maxFields)
    throw invalid(`The body has more than ${maxFields} fields.`)
  return value
}

/** Refuses `__proto__`, which schemas would ignore. */
function assertNoPrototype(value: unknown) {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__'))
    throw invalid('The name "__proto__" is not allowed in a body.')
  if (Array.isArray(value)) value.forEach(assertNoPrototype)
  else for (const member of Object.values(value)) assertNoPrototype(member)
}

const maxListed = 5

export function check<T>(schema: z.ZodMiniType<T>, value: unknown, place = ''): T {
  const result = readBySchema(schema, value, 'caller')
  if ('data' in result) return result.data
  const { findings } = result
  const sentences = findings.slice(0, maxListed).map(({ path, message }) => {
    const at = [place, ...path].filter((step) => step !== '').map(String)
    if (at.length === 0) return message
    return `${at.join('.')}: ${message}`
  })
  throw invalid(
    sentences.join('; ') +
      (findings.length > maxListed ? `; and ${findings.length - maxListed} more` : ''),
  )
}
