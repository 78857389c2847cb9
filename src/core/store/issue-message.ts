import type * as z from 'zod/mini'
import { Fraction } from '../http/json.ts'
import { quote, suggest } from '../text/messages.ts'

type Issue = z.core.$ZodIssue

export const defaultIssueMessage = 'Invalid input'

/**
 * Makes zod use that message. Its own ones are for developers, and importing all of zod in the same process switches them on for
 * everyone.
 */
export const withoutMessages = { error: () => defaultIssueMessage }

/** Returns what is wrong with a value, as a phrase that follows its path: `expected a list, received 3`. */
export function toIssueMessage(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_value':
      return isMissing(value)
        ? `is missing: expected ${toList(issue.values)}`
        : `expected ${toList(issue.values)}${suggestSimilar(value, issue.values)}`
    case 'invalid_type':
      return isMissing(value)
        ? `is missing: expected ${wordFor(issue.expected)}`
        : `expected ${typeof value === 'bigint' && issue.expected === 'number' ? 'a smaller number' : wordFor(issue.expected)}, received ${show(value)}${quotes(issue.expected, value)}`
    case 'invalid_union':
      return toUnionMessage(issue, value)
    case 'invalid_key':
      return issue.issues[0]!.message
    case 'too_small':
    case 'too_big':
      return issue.message === defaultIssueMessage ? toSizeMessage(issue, value) : issue.message
    case 'invalid_format':
      return issue.message === defaultIssueMessage
        ? `expected ${formats[issue.format] ?? 'a different format'}, received ${show(value)}`
        : issue.message
    default:
      return issue.message === defaultIssueMessage ? 'is not valid' : issue.message
  }
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  email: 'an email address',
  url: 'a URL',
}

function toSizeMessage(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, value: unknown): string {
  if (value === '') return 'is empty'
  const [words, bound] =
    issue.code === 'too_small'
      ? [issue.inclusive === false ? 'more than' : 'at least', issue.minimum]
      : [issue.inclusive === false ? 'less than' : 'at most', issue.maximum]
  const unit = { string: ' characters', array: ' items' }[issue.origin as string]
  return `expected ${words} ${bound}${unit ?? `, received ${show(value)}`}`
}

function toUnionMessage(issue: z.core.$ZodIssueInvalidUnion, value: unknown): string {
  if (issue.discriminator !== undefined && 'options' in issue && issue.options) {
    const known = issue.options as unknown[]
    return isMissing(value)
      ? `is missing: expected ${toList(known)}`
      : `there is no ${issue.discriminator} ${show(value)}; expected one of ${known.join(', ')}.${suggestSimilar(value, known).replace(/^\./, '')}`
  }
  const expected =
    issue.message === defaultIssueMessage ? expectedOf(issue.errors) : issue.message.replace(/^expected /, '')
  return isMissing(value) ? `is missing: expected ${expected}` : `expected ${expected}, received ${show(value)}`
}

function expectedOf(alternatives: readonly (readonly Issue[])[]): string {
  return alternatives.map(([first]) => wordFor((first as z.core.$ZodIssueInvalidType).expected)).join(' or ')
}

function suggestSimilar(value: unknown, known: readonly unknown[]): string {
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
    int: 'an integer',
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
  }
  return words[type] ?? type
}

export function toList(values: readonly unknown[]): string {
  return (values.length === 1 ? '' : 'one of ') + values.map((value) => JSON.stringify(value)).join(', ')
}

function isMissing(value: unknown): value is undefined {
  return value === undefined
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Fraction || typeof value === 'number') return String(value)
  return typeof value === 'object' && value !== null
    ? 'a mapping'
    : typeof value === 'bigint'
      ? String(value)
      : typeof value === 'string'
        ? quote(value)
        : JSON.stringify(value)
}
