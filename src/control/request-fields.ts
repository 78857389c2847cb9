import * as z from 'zod/mini'
import { toTextTest } from '../core/contract/expected.ts'
import type { ExpectedText, RequestQuery } from '../core/journal/matching.ts'
import { checkRequestQuery } from '../core/journal/request-query.ts'
import { optional } from '../core/contract/zod.ts'
import { invalid } from './errors.ts'

export type RequestFields = Readonly<Record<string, string>>

const maxFields = 50

export const plainFields = {
  method: optional(z.string(), 'Only requests with this method'),
  path: optional(z.string(), 'Only requests with this path: /v1/apps/*'),
  key: optional(
    z.string(),
    'Only requests with this key: its name, such as key_pro, or its fingerprint',
  ),
  account: optional(z.string(), 'Only requests with a key of this account'),
}

export const fieldPrefixes = {
  header: 'headers by name; "*" is any value, "null" none',
  query: 'query parameters by name',
  body: '{"owner.name": "Ada"}: fields of the body by path',
}

/** Returns the fields with a prefix, such as `body.`, without it. @throws ControlError */
export function fieldsBelow(prefix: string, fields: RequestFields): [name: string, text: string][] {
  const start = `${prefix}.`
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === start)
      throw invalid(`${name}: expected a name after the dot, such as ${name}name.`)
    return name.startsWith(start) ? [[name.slice(start.length), value]] : []
  })
}

/**
 * Returns the requests that fields select; `undefined` without fields.
 * @throws ControlError for an impossible field.
 */
export function toRequestQuery(fields: RequestFields): RequestQuery | undefined {
  const { method, path, key, account } = fields
  const below = (prefix: keyof typeof fieldPrefixes) => fieldsBelow(prefix, fields)
  const count = Object.keys(fields).filter(
    (name) => Object.hasOwn(plainFields, name) || name.includes('.'),
  ).length
  if (count === 0) return undefined
  if (count > maxFields) throw invalid(`A query can test at most ${maxFields} fields of requests.`)
  const asked: RequestQuery = {
    method,
    path,
    key,
    account,
    headers: toExpected(below('header')),
    query: toExpected(below('query')),
  }
  const inBody = below('body')
  if (inBody.length > 0)
    asked.body = {
      asymmetricMatch: toTextTest(inBody.map(([name, value]) => [name.split('.'), value])),
    }
  try {
    checkRequestQuery('journal.calls', asked)
  } catch (error) {
    throw invalid((error as Error).message.replace('Failed to call journal.calls(): ', ''))
  }
  return asked
}

/** As in a body, `*` is any value and `null` none. */
function toExpected(fields: readonly (readonly [name: string, text: string])[]) {
  return Object.fromEntries(
    fields.map(([name, value]): [string, ExpectedText] => {
      if (value === '*') return [name, true]
      return [name, value === 'null' ? false : value]
    }),
  )
}
