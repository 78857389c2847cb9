import type * as z from 'zod/mini'
import { toPart, toPathText, toShape } from './schema-shape.ts'
import { defaultIssueMessage, toList } from './issue-message.ts'
import { quote, suggest } from '../text/messages.ts'
import { valueAt } from '../text/value-at.ts'

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue

export function toSentence(issue: Issue, schema: Schema, sent: unknown): string {
  const value = valueAt(sent, issue.path)
  const place = toPathText(issue.path)
  if (issue.code === 'unrecognized_keys') return toUnknownFields(issue.keys, place, toPartAt(schema, issue.path))
  if (value === undefined) return `${place} is required.`
  return `${place} ${toEnding(issue, value, toPartAt(schema, issue.path))}`
}

function toPartAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  return path.reduce<Schema | undefined>((parent, step) => parent && toPart(parent, step), schema)
}

const maxUnknown = 3

function toUnknownFields(names: readonly string[], place: string, schema: Schema | undefined): string {
  const known = Object.keys((schema && toShape(schema)) ?? {})
  const toField = (name: string) => quote(place === '' ? name : `${place}.${name}`)
  return names
    .slice(0, maxUnknown)
    .map((name) => `there is no field ${toField(name)}.${suggest(name, known)}`)
    .join(' ')
}

function toEnding(issue: Issue, value: unknown, schema: Schema | undefined): string {
  if (issue.message !== defaultIssueMessage) return `${fromOwnMessage(issue.message)}.`
  if (!schema) return 'is not valid.'
  if (issue.code === 'too_small' || issue.code === 'too_big') return `must ${toSize(issue, schema)}.`
  if (issue.code === 'invalid_format' && issue.format === 'regex') return `must match ${issue.pattern}.`
  const suggestion =
    issue.code === 'invalid_value' && typeof value === 'string'
      ? suggest(
          value,
          issue.values.filter((known) => typeof known === 'string'),
        )
      : ''
  return `must be ${toExpected(schema)}.${suggestion}`
}

function fromOwnMessage(message: string): string {
  const start = message.indexOf('expected ')
  return start < 0 ? message : `must be ${message.slice(start + 'expected '.length)}`
}

function toSize(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, schema: Schema): string {
  if (issue.origin !== 'string' && issue.origin !== 'array') return `be ${toExpected(schema)}`
  const unit = issue.origin === 'array' ? 'items' : 'characters'
  if (issue.code === 'too_big') return `have at most ${issue.maximum} ${unit}`
  return issue.minimum === 1 ? 'not be empty' : `have at least ${issue.minimum} ${unit}`
}

const formats: Readonly<Record<string, string>> = {
  email: 'an email address',
  datetime: 'a time in UTC, such as 2026-01-31T12:00:00Z',
}

function toExpected(schema: Schema): string {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return toExpected(def.innerType)
    case 'pipe':
      return toExpected(def.in)
    case 'union':
      return def.options.map(toExpected).join(' or ')
    case 'literal':
      return toList(def.values)
    case 'null':
      return 'null'
    case 'nullable':
      return `${toExpected(def.innerType)} or null`
    case 'string':
      return ('format' in def && formats[String(def.format)]) || 'a string'
    case 'number':
      return toNumber(def)
    case 'boolean':
      return 'true or false'
    case 'enum':
      return toList(Object.values(def.entries))
    case 'array':
      return 'an array'
    case 'object':
      return 'an object'
    default:
      return 'of another type'
  }
}

function toNumber({ checks = [], ...def }: z.core.$ZodNumberDef): string {
  const what = 'format' in def ? 'an integer' : 'a number'
  const bound = (kind: string) =>
    checks.map(({ _zod }) => _zod.def as { check: string; value?: number }).find(({ check }) => check === kind)?.value
  const [least, max] = [bound('greater_than'), bound('less_than')]
  if (least !== undefined && max !== undefined) return `${what} from ${least} to ${max}`
  return least !== undefined ? `${what} of at least ${least}` : max !== undefined ? `${what} of at most ${max}` : what
}
