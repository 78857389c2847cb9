import en from 'zod/v4/locales/en.js'
import type * as z from 'zod/mini'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { Finding } from './finding.ts'
import { fieldsOf, schemaAt, valueAt } from './schema-path.ts'

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue

const inEnglish = { error: en().localeError }

/** A value as a schema reads it, or its problems, for the author of the file: what was expected, and a suggestion. */
export function read<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
): { readonly data: T; readonly findings: readonly [] } | { readonly findings: readonly [Finding, ...Finding[]] } {
  const { success, data, error } = schema.safeParse(value, inEnglish)
  if (success) return { data, findings: [] }
  return { findings: error.issues.flatMap((issue) => toFindings(issue, schema, value)) as [Finding, ...Finding[]] }
}

function toFindings(issue: Issue, schema: Schema, root: unknown): Finding[] {
  const { path } = issue
  const value = valueAt(root, path)
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsOf(schemaAt(schema, root, path))
    return issue.keys.map((name) => ({
      path: [...path, name],
      message: `there is no such field; expected one of ${known.join(', ')}.${suggest(name, known)}`,
    }))
  }
  return [{ path, message: toMessage(issue, value) }]
}

function toMessage(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_value':
      return isNothing(value)
        ? `is missing: expected ${oneOf(issue.values)}`
        : issue.message + meant(value, issue.values)
    case 'invalid_type':
      return isNothing(value)
        ? `is missing: expected ${wordFor(issue.expected)}`
        : `Invalid input: expected ${wordFor(issue.expected)}, received ${received(value)}${quotes(issue.expected, value)}`
    case 'invalid_union':
      return toUnionMessage(issue, value)
    case 'invalid_key':
      return issue.issues[0]!.message
    default:
      return issue.message
  }
}

function toUnionMessage(issue: z.core.$ZodIssueInvalidUnion, value: unknown): string {
  if (issue.discriminator !== undefined && 'options' in issue && issue.options) {
    const known = issue.options as unknown[]
    return isNothing(value)
      ? `is missing: expected ${oneOf(known)}`
      : `there is no ${issue.discriminator} ${show(value)}; there are ${known.join(', ')}.${meant(value, known).replace(/^\./, '')}`
  }
  const expected =
    issue.message === 'Invalid input' ? expectedOf(issue.errors) : issue.message.replace(/^expected /, '')
  return isNothing(value) ? `is missing: expected ${expected}` : `expected ${expected}, received ${show(value)}`
}

/** What the alternatives of a union expect: without a message of its own it is one of plain types. */
function expectedOf(alternatives: readonly (readonly Issue[])[]): string {
  return alternatives.map(([first]) => wordFor((first as z.core.$ZodIssueInvalidType).expected)).join(' or ')
}

function meant(value: unknown, known: readonly unknown[]): string {
  const names = known.filter((one) => typeof one === 'string')
  if (typeof value === 'string') return after(suggest(value, names))
  return names.includes(String(value)) ? `. Put it in quotes: '${String(value)}'.` : ''
}

function quotes(expected: string, value: unknown): string {
  if (expected === 'string' && ['number', 'bigint', 'boolean'].includes(typeof value))
    return `. Put it in quotes: '${String(value)}'.`
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumber && ['number', 'int'].includes(expected) ? '. Write it without quotes.' : ''
}

function after(suggestion: string): string {
  return suggestion && `.${suggestion}`
}

function wordFor(type: string): string {
  const words: Readonly<Record<string, string>> = {
    object: 'a mapping',
    record: 'a mapping',
    array: 'a list',
    int: 'integer',
  }
  return words[type] ?? type
}

function received(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || value === null) return String(value)
  return typeof value === 'object' ? show(value) : typeof value
}

function oneOf(values: readonly unknown[]): string {
  return (values.length === 1 ? '' : 'one of ') + values.map((value) => JSON.stringify(value)).join(', ')
}

function isNothing(value: unknown): value is undefined {
  return value === undefined
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null
    ? 'a mapping'
    : typeof value === 'bigint'
      ? String(value)
      : typeof value === 'string'
        ? quote(value)
        : JSON.stringify(value)
}
