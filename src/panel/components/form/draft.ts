import { isTime, toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { JsonError, parseJson, toJson } from '../../../core/http/json.ts'
import type { FormField } from './kind.ts'

export type FormTexts = Readonly<Record<string, string>>

export type Mistakes = Readonly<Record<string, string>>

export function toDraft(fields: readonly FormField[], value: Readonly<Record<string, unknown>>): FormTexts {
  return Object.fromEntries(fields.map((field) => [field.name, toText(field, value[field.name])]))
}

function toText({ kind }: FormField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (kind === 'texts' || kind === 'choices') return (Array.isArray(value) ? value : [value]).map(String).join('\n')
  if (kind === 'json') return pretty(value)
  if (kind === 'stored-time' && typeof value === 'number') return toIso(value)
  return typeof value === 'object' ? toJson(value) : String(value)
}

export function pretty(value: unknown): string {
  const marks: string[] = []
  const text = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? `\u0000${marks.push(String(member)) - 1}` : member),
    2,
  )
  return marks.reduce((whole, number, place) => whole.replace(`"\\u0000${place}"`, number), text ?? '')
}

export function parseTypedJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof JsonError ? new Error('This is not valid JSON yet.') : error
  }
}

/** Returns the value of a draft, and its mistakes. A field whose text is that of `base` keeps its value there, or stays absent. */
export function fromDraft(
  fields: readonly FormField[],
  draft: FormTexts,
  base: Readonly<Record<string, unknown>> = {},
): { readonly value: Record<string, unknown>; readonly mistakes: Mistakes } {
  const value: Record<string, unknown> = {}
  const mistakes: Record<string, string> = {}
  for (const field of fields) {
    const text = draft[field.name] ?? ''
    const before = base[field.name]
    try {
      const isUntouched = text === toText(field, before) && (before !== undefined || !field.isRequired)
      const read = isUntouched ? before : fromText(field, text)
      if (read !== undefined) value[field.name] = read
    } catch (error) {
      mistakes[field.name] = (error as Error).message
    }
  }
  return { value, mistakes }
}

function fromText(field: FormField, text: string): unknown {
  const { kind, isRequired, isNullable, schema } = field
  if (text === '' && kind !== 'texts' && kind !== 'choices') {
    if (isNullable) return null
    if (!isRequired) return undefined
    if ((kind === 'text' || kind === 'long-text') && (schema.minLength ?? 0) === 0) return ''
    throw new Error('This is required.')
  }
  switch (kind) {
    case 'integer':
      return toInteger(text)
    case 'number':
      return toNumber(text)
    case 'boolean':
      return text === 'true'
    case 'time':
    case 'stored-time':
      if (isTime(text)) return kind === 'time' ? text : toTimestamp(text)
      throw new Error('Write a time such as 2026-01-31T12:00:00Z.')
    case 'choice':
      return field.values.find((known) => String(known) === text)
    case 'choices':
      return field.values.filter((known) => text.split('\n').includes(String(known)))
    case 'texts':
      return text.split('\n').filter((line) => line !== '')
    case 'json':
      return parseTypedJson(text)
    default:
      return text
  }
}

function toInteger(text: string): number | bigint {
  if (!/^-?\d{1,19}$/.test(text.trim())) throw new Error('Write a whole number.')
  const exact = BigInt(text.trim())
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
}

function toNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new Error('Write a number.')
  return number
}
