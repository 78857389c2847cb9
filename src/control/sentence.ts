import type * as z from 'zod/mini'
import { quote, suggest } from '../core/text/messages.ts'
import { valueAt } from '../core/text/values.ts'
import { fieldsAt } from '../fixtures/check.ts'

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const maxListed = 5

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
      const known = fieldsAt(schema, issue.path)
      const unknown = issue.keys
        .slice(0, maxListed)
        .map((key) => `there is no field ${quote(key)}.${suggest(key, known)}`)
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
