import type * as z from 'zod/mini'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { fieldsAt } from '../fixtures/fields.ts'
import { inEnglish } from './body.ts'
import { ControlError, type FieldError } from './errors.ts'
import { toBodySentence } from './sentence.ts'
import { toPointer } from '../scenarios/pointer.ts'

const maxNamed = 100

export function checkFields<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value, inEnglish)
  if (result.success) return result.data
  throw toFieldError(result.error.issues.flatMap((issue) => toFieldErrors(issue, schema, value)))
}

export function toFieldError(fields: readonly FieldError[]): ControlError {
  const [{ path, message }] = fields as [FieldError]
  const more = fields.length > 1 ? `; and ${fields.length - 1} more` : ''
  const place = path === '' ? 'The record is not valid' : path
  return new ControlError(400, 'invalid_request', `${place}: ${message}${more}`, fields.slice(0, maxNamed))
}

function toFieldErrors(issue: z.core.$ZodIssue, schema: z.ZodMiniType, value: unknown): FieldError[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ path: toPointer(issue.path), message: toBodySentence(issue, schema, value) }]
  const known = fieldsAt(schema, issue.path)
  return issue.keys.slice(0, maxNamed).map((name) => ({
    path: toPointer([...issue.path, name]),
    message: `there is no field ${quote(name)}.${suggest(name, known)}`,
  }))
}
