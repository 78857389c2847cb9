// The panel's page contains this file: what people type selects the same requests at every door.
import { readTyped, toTextTest } from '../contract/expected.ts'
import type { RequestQuery } from './matching.ts'
import type { Fields } from '../text/values.ts'

interface TypedField {
  /** The entries that it selects. */
  readonly describe: string
  read(typed: string): unknown
}

/** Reads what is on or off. */
export function readSwitch(typed: string): boolean {
  return typed === 'true'
}

/** The fields that people type: what each of them selects, and how its text is read. */
export const typedFields = {
  operation: {
    describe: 'An operation, such as plants.list',
    read: readTyped,
  },
  status: {
    describe: 'A status or a class of statuses: 401, 4xx',
    read: (typed) => (/^\d+$/.test(typed) ? Number(typed) : typed),
  },
  errors: {
    describe: 'Only those with a status from 400, or without a reply',
    read: readSwitch,
  },
  violations: {
    describe: 'Only those that break the contract',
    read: readSwitch,
  },
  scenario: {
    describe: 'Only those that this scenario changed',
    read: readTyped,
  },
  search: {
    describe: 'Only those with this text',
    read: String,
  },
  method: {
    describe: 'Only requests with this method',
    read: String,
  },
  path: {
    describe: 'Only requests with this path: /v1/apps/*',
    read: String,
  },
  key: {
    describe: 'Only requests with this key: its name, such as key_pro, or its fingerprint',
    read: readTyped,
  },
  account: {
    describe: 'Only requests with a key of this account',
    read: readTyped,
  },
} satisfies Readonly<Record<Exclude<keyof RequestQuery, 'headers' | 'query' | 'body'>, TypedField>>

/** The fields that have no end of names, by their first part: `header.x-name`. */
export const typedPrefixes = {
  header: 'headers by name; "*" is any value, "null" none',
  query: 'query parameters by name',
  body: '{"owner.name": "Ada"}: fields of the body by path',
}

export type TypedQuery = Fields

export function readTypedQuery(typed: TypedQuery): RequestQuery {
  const found: Record<string, unknown> = {}
  for (const [name, field] of Object.entries<TypedField>(typedFields))
    if (typed[name] !== undefined) found[name] = field.read(String(typed[name]))
  for (const [prefix, part] of [['header', 'headers'] as const, ['query', 'query'] as const]) {
    const fields = fieldsBelow(prefix, typed).map(([name, text]) => [name, readTyped(text)])
    if (fields.length > 0) found[part] = Object.fromEntries(fields)
  }
  const inBody = fieldsBelow('body', typed).map(([name, text]) => [name.split('.'), text] as const)
  if (inBody.length > 0) found['body'] = { asymmetricMatch: toTextTest(inBody) }
  return found
}

/** Returns the fields with a prefix, such as `body.`, without it. */
export function fieldsBelow(prefix: string, typed: TypedQuery): [name: string, text: string][] {
  const start = `${prefix}.`
  return Object.entries(typed).flatMap(([name, text]): [string, string][] => {
    if (name.startsWith(start)) return [[name.slice(start.length), String(text)]]
    return []
  })
}
