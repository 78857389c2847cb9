import * as z from 'zod/mini'
import { checkRequestQuery } from '../core/journal/request-query.ts'
import type { AsymmetricMatcher, ExpectedText, RequestQuery } from '../core/journal/matching.ts'
import { valueAt } from '../core/text/values.ts'
import { quote } from '../core/text/messages.ts'
import { optional } from '../scenarios/language/fields.ts'
import { invalid } from './errors.ts'

export type RequestFields = Readonly<Record<string, string>>

const max = 50
const longest = 1_000

const text = z.optional(z.string())

export const plainFields = {
  method: text,
  path: optional(z.string(), 'Such as /v1/apps, with * for any characters'),
  key: optional(
    z.string(),
    'Only requests with this key: its name, such as key_pro, or its fingerprint',
  ),
  account: text,
}

export const fieldPrefixes = {
  header: 'headers by name; "*" is any value, "null" none',
  query: 'query parameters by name',
  body: '{"owner.name": "Ada"}: fields of the body by path',
}
const prefixes = Object.keys(fieldPrefixes)

/**
 * Returns the requests that fields select; `undefined` without fields. `*` matches any value and
 * `null` a missing one. A value in a body is compared as text, and one item of a list is enough.
 * @throws ControlError for an impossible field.
 */
export function toRequestQuery(fields: RequestFields): RequestQuery | undefined {
  const entries = Object.entries(fields).filter(
    ([name]) => Object.hasOwn(plainFields, name) || name.includes('.'),
  )
  if (entries.length === 0) return undefined
  if (entries.length > max) throw invalid(`A query can test at most ${max} fields of requests.`)
  for (const [name, value] of entries) {
    if (name.length > longest || value.length > longest)
      throw invalid(`${quote(name)}: expected at most ${longest} characters.`)
    if (prefixes.some((prefix) => name === `${prefix}.`))
      throw invalid(`${name}: expected a name after the dot, such as ${name}name.`)
  }
  const below = (prefix: string) =>
    entries.flatMap(([name, value]) =>
      name.startsWith(`${prefix}.`) ? [[name.slice(prefix.length + 1), value] as const] : [],
    )
  const toExpected = (value: string): ExpectedText =>
    value === '*' ? true : value === 'null' ? false : value
  const texts = (prefix: string) =>
    Object.fromEntries(below(prefix).map(([name, value]) => [name, toExpected(value)]))
  const { method, path, key, account } = fields
  const body = below('body')
  const query: RequestQuery = {
    method,
    path,
    key,
    account,
    headers: texts('header'),
    query: texts('query'),
    ...(body.length > 0 && { body: toBodyTest(body) }),
  }
  try {
    checkRequestQuery('journal.calls', query)
  } catch (error) {
    throw invalid((error as Error).message.replace('Failed to call journal.calls(): ', ''))
  }
  return query
}

function toBodyTest(
  fields: readonly (readonly [path: string, value: string])[],
): AsymmetricMatcher {
  const tests = fields.map(([path, value]) => ({ steps: path.split('.'), value }))
  return {
    asymmetricMatch: (body) =>
      tests.every(({ steps, value }) => isText(valueAt(body, steps), value)),
  }
}

function isText(value: unknown, expected: string): boolean {
  if (expected === 'null') return value === undefined || value === null
  if (value === undefined || value === null) return false
  if (expected === '*') return true
  if (Array.isArray(value)) return value.some((item) => isText(item, expected))
  return typeof value !== 'object' && String(value) === expected
}
