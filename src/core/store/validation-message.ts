import type * as z from 'zod/mini'
import { describeRange, describeSize } from '../contract/json-schema.ts'
import { countOf, describeProblem, quote, showReceived, suggest, toList } from '../text/messages.ts'
import { type Texts, valueAt } from '../text/values.ts'

export type ZodSchema = z.core.$ZodType
type Issue = z.core.$ZodIssue

/**
 * Who reads a message: the author of a file, who thinks in YAML; a caller of code or of the control
 * API; or a client of the areas.
 */
type Audience = keyof typeof nouns

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
  schema: ZodSchema,
  sent: unknown,
  audience: Audience,
): Finding[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, path, sent)
    return issue.keys.map((name) => ({
      path: [...path, name],
      message: describeUnknownField([...path, name], known, audience),
    }))
  }
  const value = valueAt(sent, path)
  const message =
    audience === 'client'
      ? describeRule(issue, value, schemaAt(schema, path, sent))
      : toIssueMessage(issue, value, audience)
  return [{ path, message }]
}

function describeUnknownField(
  path: readonly PropertyKey[],
  known: readonly string[],
  audience: Audience,
): string {
  const name = String(path.at(-1))
  if (audience === 'client')
    return describeProblem(`there is no field ${quote(toPathText(path))}`, name, known)
  const problem = `there is no such ${nouns[audience]}`
  if (known.length === 0) return problem
  return describeProblem(problem, name, known, audience !== 'case')
}

const maxUnknown = 3

/** Says it to a client of the areas in whole sentences, which begin with the place. */
export function toSentence(issue: Issue, schema: ZodSchema, sent: unknown): string {
  const findings = describeIssue(issue, schema, sent, 'client').slice(0, maxUnknown)
  if (issue.code === 'unrecognized_keys') return findings.map(({ message }) => message).join(' ')
  const place = issue.path.length === 0 ? 'it' : toPathText(issue.path)
  return `${place} ${findings[0]!.message}`
}

/** Says the rule that a value breaks: `must be an integer from 1 to 100.` */
function describeRule(issue: Issue, value: unknown, schema: ZodSchema | undefined): string {
  if (value === undefined) return 'is required.'
  const { code, message } = issue
  if (message !== defaultIssueMessage)
    return `${message.replace(/^.*?expected (.*)$/s, 'must be $1')}.`
  if (!schema) return 'is not valid.'
  if (code === 'too_small' || code === 'too_big') {
    const { words, size, unit } = toBound(issue)
    if (unit === undefined) return `must be ${toExpected(schema)}.`
    return `${describeSize(words, Number(size), unit)}.`
  }
  if (code === 'invalid_format') {
    if (issue.format === 'regex') return `must match ${issue.pattern}.`
    const text = describeFormat(issue)
    // A schema that is no text by itself, such as one of several at once, does not name the format.
    const expected = toExpected(schema, text)
    return `must be ${expected.includes(text) ? expected : text}.`
  }
  const known = code === 'invalid_value' && typeof value === 'string' ? textsIn(issue.values) : []
  return `must be ${toExpected(schema)}.${suggest(String(value), known)}`
}

/** Returns the parts of `at least 3 characters`, `less than 5`. */
function toBound(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig) {
  const isOpen = issue.inclusive === false
  const unit = {
    string: 'character',
    array: 'item',
  }[issue.origin as string]
  const [open, closed, size] =
    issue.code === 'too_small'
      ? ['more than', 'at least', issue.minimum]
      : ['less than', 'at most', issue.maximum]
  return {
    words: isOpen ? open : closed,
    size,
    unit,
  }
}

const formats: Texts = {
  email: 'an email address',
  datetime: 'a time in UTC, such as 2026-01-31T12:00:00Z',
  date: 'a date, such as 2026-01-31',
  url: 'a URL',
}

/** Each format has one of these parts, or none. */
type StringIssue = z.core.$ZodIssueInvalidStringFormat & {
  readonly [part in 'prefix' | 'suffix' | 'includes']?: string
}

function describeFormat(issue: z.core.$ZodIssueInvalidStringFormat): string {
  const { format, prefix = '', suffix = '', includes = '' }: StringIssue = issue
  if (format === 'starts_with') return `a string that begins with ${quote(prefix)}`
  if (format === 'ends_with') return `a string that ends with ${quote(suffix)}`
  if (format === 'includes') return `a string that has ${quote(includes)} in it`
  return formats[format] ?? `a string in the format ${quote(format)}`
}

/** @param text what a string has to be, if more is known than its schema says */
function toExpected(schema: ZodSchema, text?: string): string {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'union':
      return joinAlternatives(def.options.map((option) => toExpected(option, text)))
    case 'string': {
      const format = 'format' in def ? formats[String(def.format)] : undefined
      return text ?? format ?? wordFor(def.type, 'client')
    }
    case 'literal':
      return toList(def.values)
    case 'nullable':
      return `${toExpected(def.innerType, text)} or null`
    case 'number':
      return describeNumber(def)
    case 'enum':
      return toList(Object.values(def.entries))
    default: {
      // One step at a time: what is optional may be null.
      const inner = innerOf(schema)
      if (inner) return toExpected(inner, text)
      return wordFor(def.type, 'client')
    }
  }
}

/** Two alternatives may have the same words, such as two kinds of objects. */
function joinAlternatives(words: readonly string[]): string {
  return [...new Set(words)].join(' or ')
}

interface NumberCheck {
  readonly check: string
  readonly value?: number
  readonly inclusive?: boolean
}

function describeNumber({ checks = [], ...def }: z.core.$ZodNumberDef): string {
  const found = checks.map(({ _zod }) => _zod.def as NumberCheck)
  const find = (kind: string) => found.find(({ check }) => check === kind)
  /** Of several bounds, the others allow more. */
  const strictest = (kind: string, order: 1 | -1) =>
    found
      .filter(({ check }) => check === kind)
      .sort(
        (one, other) =>
          order * (one.value! - other.value!) || Number(one.inclusive) - Number(other.inclusive),
      )[0]
  const isInteger = 'format' in def || find('number_format') !== undefined
  const range = describeBounds(
    isInteger ? 'an integer' : 'a number',
    strictest('greater_than', -1),
    strictest('less_than', 1),
  )
  const step = find('multiple_of')
  return step ? `${range}, a multiple of ${step.value}` : range
}

function describeBounds(
  what: string,
  least: NumberCheck | undefined,
  greatest: NumberCheck | undefined,
): string {
  if (least?.inclusive !== false && greatest?.inclusive !== false)
    return describeRange(what, least?.value, greatest?.value)
  const above = least && `${least.inclusive === false ? 'more than' : 'at least'} ${least.value}`
  const below =
    greatest && `${greatest.inclusive === false ? 'less than' : 'at most'} ${greatest.value}`
  return `${what} of ${[above, below].filter(Boolean).join(' and ')}`
}

/** Returns the schema that another one makes optional, nullable and so on, or reads first. */
function innerOf(schema: ZodSchema): ZodSchema | undefined {
  const {
    innerType,
    in: first,
    out,
  } = schema._zod.def as {
    readonly innerType?: ZodSchema
    readonly in?: ZodSchema
    readonly out?: ZodSchema
  }
  return innerType ?? (first?._zod.def.type === 'transform' ? out : first)
}

export function innermostOf(schema: ZodSchema): z.core.$ZodTypes {
  const inner = innerOf(schema)
  if (inner) return innermostOf(inner)
  return schema as z.core.$ZodTypes
}

export function toShape(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = innermostOf(schema)._zod
  return def.type === 'object' ? def.shape : {}
}

/**
 * Returns the schema at a path. Follows the alternative of a union that the value's discriminator
 * selects.
 */
function schemaAt(
  schema: ZodSchema,
  path: readonly PropertyKey[],
  value: unknown,
): ZodSchema | undefined {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const next = schemaOfPart(schema, step, value)
  return next && schemaAt(next, rest, valueAt(value, [step]))
}

function schemaOfPart(schema: ZodSchema, step: PropertyKey, value: unknown): ZodSchema | undefined {
  const { def } = toAlternative(schema, value)._zod
  if (def.type === 'array') return def.element
  if (def.type === 'record') return def.valueType
  if (def.type === 'object' && Object.hasOwn(def.shape, step)) return def.shape[String(step)]
  return undefined
}

function toAlternative(schema: ZodSchema, value: unknown): z.core.$ZodTypes {
  const inner = innermostOf(schema)
  const { discriminator, options } = inner._zod.def as Partial<z.core.$ZodDiscriminatedUnionDef>
  if (discriminator === undefined) return inner
  const chosen = valueAt(value, [discriminator]) as string
  return innermostOf(
    options!.find(({ _zod }) => _zod.propValues?.[discriminator]?.has(chosen)) ?? schema,
  )
}

function fieldsAt(schema: ZodSchema, path: readonly PropertyKey[], value: unknown): string[] {
  const part = schemaAt(schema, path, value)
  if (part) return Object.keys(toShape(toAlternative(part, valueAt(value, path))))
  return []
}

export function readBySchema<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  audience: Audience = 'author',
):
  | {
      readonly data: T
      readonly findings: readonly []
    }
  | { readonly findings: readonly [Finding, ...Finding[]] } {
  const { success, data, error } = schema.safeParse(value, withoutMessages)
  if (success)
    return {
      data,
      findings: [],
    }
  return {
    findings: error.issues.flatMap((issue) => describeIssue(issue, schema, value, audience)) as [
      Finding,
      ...Finding[],
    ],
  }
}

export function toPathText(path: readonly PropertyKey[]): string {
  const written = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    return `.${String(step)}`
  })
  return written.join('').replace(/^\./, '')
}

const defaultIssueMessage = 'Invalid input'

/**
 * Zod's own messages are for developers, and importing all of zod switches them on for everyone.
 */
export const withoutMessages = { error: () => defaultIssueMessage }

function toIssueMessage(issue: Issue, value: unknown, audience: Audience): string {
  const { message } = issue
  if (isSentence(message)) return message
  switch (issue.code) {
    case 'invalid_value':
      return toExpectation(toList(issue.values), value, suggestSimilar(value, issue.values))
    case 'invalid_type':
      return toTypeMessage(issue.expected, value, audience)
    case 'invalid_union':
      return toUnionMessage(issue, value, audience)
    case 'invalid_key':
      return issue.issues[0]!.message
  }
  if (message !== defaultIssueMessage) return message
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const { words, size, unit } = toBound(issue)
    if (value === '') return 'is empty'
    if (unit === undefined)
      return toExpectation(`${words} ${size}`, value, received(value, audience))
    return toExpectation(`${words} ${countOf(Number(size), unit)}`, value)
  }
  if (issue.code !== 'invalid_format') return 'is not valid'
  return toExpectation(
    formats[issue.format] ?? 'a different format',
    value,
    received(value, audience),
  )
}

function toExpectation(expected: string, value: unknown, rest = ''): string {
  if (value === undefined) return `is missing: expected ${expected}`
  return `expected ${expected}${rest}`
}

/** Returns whether a schema says by itself all that there is to say of a value. */
function isSentence(message: string): boolean {
  return message.startsWith('is missing: ') || message.includes(', received ')
}

function toTypeMessage(expected: string, value: unknown, audience: Audience): string {
  const isTooLarge = typeof value === 'bigint' && expected === 'number'
  const words = isTooLarge ? 'a smaller number' : wordFor(expected, audience)
  const advice = writesYaml(audience) ? quotes(expected, value) : ''
  return toExpectation(words, value, received(value, audience) + advice)
}

function toUnionMessage(
  issue: z.core.$ZodIssueInvalidUnion,
  value: unknown,
  audience: Audience,
): string {
  if (issue.discriminator !== undefined && 'options' in issue && issue.options) {
    const known = issue.options as unknown[]
    if (value === undefined) return toExpectation(toList(known), value)
    const hint = suggestSimilar(value, known).replace(/^\./, '')
    return `there is no ${issue.discriminator} ${showSent(value, audience)}; expected one of ${known.join(', ')}.${hint}`
  }
  const words = issue.errors.map(([first]) =>
    wordFor((first as z.core.$ZodIssueInvalidType).expected, audience),
  )
  const expected =
    issue.message === defaultIssueMessage
      ? joinAlternatives(words)
      : issue.message.replace(/^expected /, '')
  return toExpectation(expected, value, received(value, audience))
}

function textsIn(known: readonly unknown[]): string[] {
  return known.filter((one) => typeof one === 'string')
}

function suggestSimilar(value: unknown, known: readonly unknown[]): string {
  const names = textsIn(known)
  if (typeof value === 'string') return suggest(value, names).replace(' ', '. ')
  if (names.includes(String(value))) return `. Put it in quotes: '${String(value)}'.`
  return ''
}

function quotes(expected: string, value: unknown): string {
  if (expected === 'string' && ['number', 'bigint', 'boolean'].includes(typeof value))
    return `. Put it in quotes: '${String(value)}'.`
  const isNumber =
    typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  if (isNumber && ['number', 'int'].includes(expected)) return '. Write it without quotes.'
  return ''
}

const typeWords: Texts = {
  array: 'a list',
  int: 'an integer',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

function wordFor(type: string, audience: Audience): string {
  if (type === 'object' || type === 'record') {
    if (writesYaml(audience)) return 'a mapping'
    return 'an object'
  }
  if (type === 'array' && audience === 'client') return 'an array'
  return typeWords[type] ?? (audience === 'client' ? 'of another type' : type)
}

function received(value: unknown, audience: Audience): string {
  return `, received ${showSent(value, audience)}`
}

function showSent(value: unknown, audience: Audience): string {
  return showReceived(value, wordFor('object', audience))
}
