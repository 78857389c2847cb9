import type * as z from 'zod/mini'
import { describeProblem, quote, showReceived, suggest, toList } from '../text/messages.ts'
import { valueAt } from '../text/values.ts'

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue

/**
 * Who reads a message: the author of a file, who thinks in YAML; a caller of code or of the control
 * API; or a client of the areas.
 */
export type Audience = keyof typeof nouns

const nouns = {
  author: 'field',
  /** The author of a case file. Its fields are too many to list. */
  case: 'field',
  caller: 'field',
  config: 'setting',
  code: 'option',
  client: 'field',
}

const writesYaml = (audience: Audience) => audience === 'author' || audience === 'case'

export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/**
 * Says what is wrong with a value. How the place is named in front of it is the door's: its path, a
 * flag, a line of a file.
 */
export function describeIssue(
  issue: Issue,
  schema: Schema,
  sent: unknown,
  audience: Audience = 'author',
): Finding[] {
  const { path } = issue
  if (issue.code !== 'unrecognized_keys')
    return [{ path, message: toIssueMessage(issue, valueAt(sent, path), audience) }]
  const known = fieldsAt(schema, path, sent)
  const problem = `there is no such ${nouns[audience]}`
  return issue.keys.map((name) => ({
    path: [...path, name],
    message:
      known.length === 0 ? problem : describeProblem(problem, name, known, audience !== 'case'),
  }))
}

/** Says the same to a client of the API, in a whole sentence that begins with the place. */
export function toSentence(issue: Issue, schema: Schema, sent: unknown): string {
  const value = valueAt(sent, issue.path)
  const place = toPathText(issue.path)
  if (issue.code === 'unrecognized_keys')
    return toUnknownFields(issue.keys, place, fieldsAt(schema, issue.path, sent))
  if (value === undefined) return `${place} is required.`
  return `${place} ${toEnding(issue, value, schemaAt(schema, issue.path, sent))}`
}

const maxUnknown = 3

function toUnknownFields(
  names: readonly string[],
  place: string,
  known: readonly string[],
): string {
  return names
    .slice(0, maxUnknown)
    .map((name) =>
      describeProblem(
        `there is no field ${quote(place === '' ? name : `${place}.${name}`)}`,
        name,
        known,
      ),
    )
    .join(' ')
}

function toEnding(issue: Issue, value: unknown, schema: Schema | undefined): string {
  if (issue.message !== defaultIssueMessage) return `${fromOwnMessage(issue.message)}.`
  if (!schema) return 'is not valid.'
  if (issue.code === 'too_small' || issue.code === 'too_big')
    return `must ${toSize(issue, schema)}.`
  if (issue.code === 'invalid_format' && issue.format === 'regex')
    return `must match ${issue.pattern}.`
  const known =
    issue.code === 'invalid_value' ? issue.values.filter((one) => typeof one === 'string') : []
  return `must be ${toExpected(schema)}.${typeof value === 'string' ? suggest(value, known) : ''}`
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
    default: {
      // One step at a time: what is optional may be null.
      const inner = innerOf(schema)
      return inner ? toExpected(inner) : 'of another type'
    }
  }
}

function toNumber({ checks = [], ...def }: z.core.$ZodNumberDef): string {
  const what = 'format' in def ? 'an integer' : 'a number'
  const bound = (kind: string) =>
    checks
      .map(({ _zod }) => _zod.def as { check: string; value?: number })
      .find(({ check }) => check === kind)?.value
  const [least, max] = [bound('greater_than'), bound('less_than')]
  if (least !== undefined && max !== undefined) return `${what} from ${least} to ${max}`
  if (least !== undefined) return `${what} of at least ${least}`
  return max === undefined ? what : `${what} of at most ${max}`
}

/** Returns the schema that another one makes optional, nullable and so on, or reads first. */
function innerOf(schema: Schema): Schema | undefined {
  const { innerType, in: first } = schema._zod.def as {
    readonly innerType?: Schema
    readonly in?: Schema
  }
  return innerType ?? first
}

export function toInner(schema: Schema): z.core.$ZodTypes {
  const inner = innerOf(schema)
  return inner ? toInner(inner) : (schema as z.core.$ZodTypes)
}

export function toShape(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = toInner(schema)._zod
  return def.type === 'object' ? def.shape : {}
}

/**
 * Returns the schema at a path. Follows the alternative of a union that the value's discriminator
 * selects.
 */
function schemaAt(
  schema: Schema,
  path: readonly PropertyKey[],
  value: unknown,
): Schema | undefined {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const next = schemaOfPart(schema, step, value)
  return next && schemaAt(next, rest, valueAt(value, [step]))
}

function schemaOfPart(schema: Schema, step: PropertyKey, value: unknown): Schema | undefined {
  const { def } = toAlternative(schema, value)._zod
  if (def.type === 'array') return def.element
  if (def.type === 'record') return def.valueType
  return def.type === 'object' && Object.hasOwn(def.shape, step)
    ? def.shape[String(step)]
    : undefined
}

function toAlternative(schema: Schema, value: unknown): z.core.$ZodTypes {
  const inner = toInner(schema)
  const { discriminator, options } = inner._zod.def as Partial<z.core.$ZodDiscriminatedUnionDef>
  if (discriminator === undefined) return inner
  const chosen = valueAt(value, [discriminator]) as string
  return toInner(
    options!.find(({ _zod }) => _zod.propValues?.[discriminator]?.has(chosen)) ?? schema,
  )
}

export function fieldsAt(schema: Schema, path: readonly PropertyKey[], value: unknown): string[] {
  const part = schemaAt(schema, path, value)
  return part ? Object.keys(toShape(toAlternative(part, valueAt(value, path)))) : []
}

export function read<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  audience: Audience = 'author',
):
  | { readonly data: T; readonly findings: readonly [] }
  | { readonly findings: readonly [Finding, ...Finding[]] } {
  const { success, data, error } = schema.safeParse(value, withoutMessages)
  if (success) return { data, findings: [] }
  return {
    findings: error.issues.flatMap((issue) => describeIssue(issue, schema, value, audience)) as [
      Finding,
      ...Finding[],
    ],
  }
}

export function toPathText(path: readonly PropertyKey[]): string {
  const written = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return written.join('').replace(/^\./, '')
}

const defaultIssueMessage = 'Invalid input'

/**
 * Zod's own messages are for developers, and importing all of zod switches them on for everyone.
 */
export const withoutMessages = { error: () => defaultIssueMessage }

function toIssueMessage(issue: z.core.$ZodIssue, value: unknown, audience: Audience): string {
  if (isSentence(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_value':
      return value === undefined
        ? `is missing: expected ${toList(issue.values)}`
        : `expected ${toList(issue.values)}${suggestSimilar(value, issue.values)}`
    case 'invalid_type':
      return value === undefined
        ? `is missing: expected ${wordFor(issue.expected, audience)}`
        : toTypeMessage(issue.expected, value, audience)
    case 'invalid_union':
      return toUnionMessage(issue, value, audience)
    case 'invalid_key':
      return issue.issues[0]!.message
    case 'too_small':
    case 'too_big':
      return issue.message === defaultIssueMessage
        ? toSizeMessage(issue, value, audience)
        : issue.message
    case 'invalid_format':
      return issue.message === defaultIssueMessage
        ? `expected ${formatWords[issue.format] ?? 'a different format'}, received ${show(value, audience)}`
        : issue.message
    default:
      return issue.message === defaultIssueMessage ? 'is not valid' : issue.message
  }
}

/** Returns whether a schema says by itself all that there is to say of a value. */
function isSentence(message: string): boolean {
  return message.startsWith('is missing: ') || message.includes(', received ')
}

function toTypeMessage(expected: string, value: unknown, audience: Audience): string {
  const isTooLarge = typeof value === 'bigint' && expected === 'number'
  const message = `expected ${isTooLarge ? 'a smaller number' : wordFor(expected, audience)}, received ${show(value, audience)}`
  return writesYaml(audience) ? message + quotes(expected, value) : message
}

const formatWords: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  email: 'an email address',
  url: 'a URL',
}

function toSizeMessage(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  value: unknown,
  audience: Audience,
): string {
  if (value === '') return 'is empty'
  const [words, bound] =
    issue.code === 'too_small'
      ? [issue.inclusive === false ? 'more than' : 'at least', issue.minimum]
      : [issue.inclusive === false ? 'less than' : 'at most', issue.maximum]
  const unit = { string: ' characters', array: ' items' }[issue.origin as string]
  return `expected ${words} ${bound}${unit ?? `, received ${show(value, audience)}`}`
}

function toUnionMessage(
  issue: z.core.$ZodIssueInvalidUnion,
  value: unknown,
  audience: Audience,
): string {
  if (issue.discriminator !== undefined && 'options' in issue && issue.options) {
    const known = issue.options as unknown[]
    return value === undefined
      ? `is missing: expected ${toList(known)}`
      : `there is no ${issue.discriminator} ${show(value, audience)}; expected one of ${known.join(', ')}.${suggestSimilar(value, known).replace(/^\./, '')}`
  }
  const expected =
    issue.message === defaultIssueMessage
      ? issue.errors
          .map(([first]) => wordFor((first as z.core.$ZodIssueInvalidType).expected, audience))
          .join(' or ')
      : issue.message.replace(/^expected /, '')
  return value === undefined
    ? `is missing: expected ${expected}`
    : `expected ${expected}, received ${show(value, audience)}`
}

function suggestSimilar(value: unknown, known: readonly unknown[]): string {
  const names = known.filter((one) => typeof one === 'string')
  if (typeof value === 'string') return suggest(value, names).replace(/^ /, '. ')
  return names.includes(String(value)) ? `. Put it in quotes: '${String(value)}'.` : ''
}

function quotes(expected: string, value: unknown): string {
  if (expected === 'string' && ['number', 'bigint', 'boolean'].includes(typeof value))
    return `. Put it in quotes: '${String(value)}'.`
  const isNumber =
    typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumber && ['number', 'int'].includes(expected) ? '. Write it without quotes.' : ''
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list',
  int: 'an integer',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
}

/** An object of JSON is a mapping in YAML. */
function objectFor(audience: Audience): string {
  return writesYaml(audience) ? 'a mapping' : 'an object'
}

function wordFor(type: string, audience: Audience): string {
  return type === 'object' || type === 'record' ? objectFor(audience) : (typeWords[type] ?? type)
}

function show(value: unknown, audience: Audience): string {
  return showReceived(value, objectFor(audience))
}
