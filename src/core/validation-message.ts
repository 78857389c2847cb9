import type * as z from 'zod/mini'
import { toInner, toPart, toPlace } from './schema-shape.ts'
import { suggest } from './suggest.ts'

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue

/** What zod's mini build says of whatever has no message of its own. */
const silent = 'Invalid input'

/** One thing that is wrong with a body, as a sentence: `amount must be an integer from 1 to 1000000.` */
export function toSentence(issue: Issue, schema: Schema, sent: unknown): string {
  const value = at(sent, issue.path)
  const place = toPlace(issue.path)
  if (value === undefined) return `${place} is required.`
  const part = issue.path.reduce<Schema | undefined>((parent, step) => parent && toPart(parent, step), schema)
  return `${place} ${toEnding(issue, value, part)}`
}

/** The sentence after the name of the value. */
function toEnding(issue: Issue, value: unknown, schema: Schema | undefined): string {
  if (issue.message !== silent) return `${fromOwnMessage(issue.message)}.`
  if (!schema) return 'is not valid.'
  if (issue.code === 'too_small' || issue.code === 'too_big') return `${toSize(schema)}.`
  const meant = issue.code === 'invalid_value' && typeof value === 'string' ? suggest(value, issue.values.filter((known) => typeof known === 'string')) : ''
  return `must be ${toExpected(schema)}.${meant}`
}

/** Messages of schemas say what was expected. */
function fromOwnMessage(message: string): string {
  const start = message.indexOf('expected ')
  return start < 0 ? message : `must be ${message.slice(start + 'expected '.length)}`
}

/** How long or large a value has to be. */
function toSize(schema: Schema): string {
  const { def, bag } = toInner(schema)._zod
  if (def.type === 'number') return `must be ${toExpected(schema)}`
  if (bag['minimum'] === 1 && bag['maximum'] === undefined) return 'must not be empty'
  const unit = def.type === 'array' ? 'items' : 'characters'
  if (bag['maximum'] === undefined) return `must have at least ${bag['minimum']} ${unit}`
  return bag['minimum'] === undefined ? `must have at most ${bag['maximum']} ${unit}` : `must have ${bag['minimum']} to ${bag['maximum']} ${unit}`
}

/** What a value has to be: `a string or null`. */
function toExpected(schema: Schema): string {
  const { def, bag } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
      return toExpected(def.innerType)
    case 'nullable':
      return `${toExpected(def.innerType)} or null`
    case 'string':
      return bag['format'] === 'email' ? 'an email address' : 'a string'
    case 'number':
      return toNumber(bag as NumberBounds)
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

interface NumberBounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
}

function toNumber({ minimum = -Infinity, maximum = Infinity, format }: NumberBounds): string {
  const what = format === undefined ? 'a number' : 'an integer'
  const isLow = minimum > Number.MIN_SAFE_INTEGER
  const isHigh = maximum < Number.MAX_SAFE_INTEGER
  if (isLow && isHigh) return `${what} from ${minimum} to ${maximum}`
  return isLow ? `${what} of at least ${minimum}` : isHigh ? `${what} of at most ${maximum}` : what
}

/** The values that are taken, for a sentence: `one of "web", "ios"`. */
export function toList(values: readonly unknown[]): string {
  return `${values.length === 1 ? '' : 'one of '}${values.map((value) => JSON.stringify(value)).join(', ')}`
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((within, step) => (typeof within === 'object' && within !== null && Object.hasOwn(within, step) ? (within as Record<PropertyKey, unknown>)[step] : undefined), value)
}
