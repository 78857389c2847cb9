import { JsonError, parseJson, toJson } from '../../../core/http/json.ts'
import { isTime, toIso } from '../../../core/time/time-text.ts'
import { pretty, readTypedTime } from '../words.ts'
import type { JsonSchema, RecordValue, Texts } from '../../data/control.ts'

export function toDraft(fields: readonly FormField[], value: RecordValue): Texts {
  return Object.fromEntries(
    fields.map((field) => [field.name, toFieldText(field, value[field.name])]),
  )
}

function toFieldText({ kind }: FormField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (kind === 'texts' || kind === 'choices')
    return (Array.isArray(value) ? value : [value]).map(String).join('\n')
  if (kind === 'json') return pretty(value)
  if (kind === 'stored-time' && typeof value === 'number') return toIso(value)
  if (typeof value === 'object') return toJson(value)
  return String(value)
}

/**
 * Returns the value of a draft, and its mistakes, at a time in milliseconds since 1970. A field
 * whose text is that of `base` keeps its value there, or stays absent.
 */
export function fromDraft(
  fields: readonly FormField[],
  draft: Texts,
  now: number,
  base: RecordValue = {},
): {
  value: RecordValue
  mistakes: Texts
} {
  const value: Record<string, unknown> = {}
  const mistakes: Record<string, string> = {}
  for (const field of fields) {
    const text = draft[field.name] ?? ''
    const before = base[field.name]
    try {
      const isUntouched =
        text === toFieldText(field, before) && (before !== undefined || !field.isRequired)
      const read = isUntouched ? before : readField(field, text, now)
      if (read !== undefined) value[field.name] = read
    } catch (error) {
      mistakes[field.name] = (error as Error).message
    }
  }
  return { value, mistakes }
}

function readField(field: FormField, text: string, now: number): unknown {
  const { kind, isRequired, isNullable, schema } = field
  if (text === '' && kind !== 'texts' && kind !== 'choices') {
    if (isNullable) return null
    if (!isRequired) return undefined
    if ((kind === 'text' || kind === 'long-text') && (schema.minLength ?? 0) === 0) return ''
    throw new Error('This is required.')
  }
  const read = readers[kind]
  if (read) return read(text, now, 'values' in field ? field.values : [])
  return text
}

type FieldReader = (text: string, now: number, values: readonly unknown[]) => unknown

/** How the text of a field is read; another kind of field is its text. */
const readers: Partial<Record<FormField['kind'], FieldReader>> = {
  integer: readFieldInteger,
  number: readFieldNumber,
  boolean: (text) => text === 'true',
  time: (text, now) => {
    if (isTime(text)) return text
    return toIso(readFieldTime(text, now))
  },
  'stored-time': readFieldTime,
  choice: (text, _, values) => values.find((known) => String(known) === text),
  choices: (text, _, values) => values.filter((known) => text.split('\n').includes(String(known))),
  texts: (text) => text.split('\n').filter((line) => line !== ''),
  json: parseTypedJson,
}

function readFieldTime(text: string, now: number): number {
  const time = readTypedTime(text, now)
  if (time !== undefined) return time
  throw new Error('Write a time such as 2026-01-31T12:00:00Z, now, in 3d or 1h ago.')
}

export function parseTypedJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof JsonError ? new Error('This is not valid JSON yet.') : error
  }
}

function readFieldInteger(text: string): number | bigint {
  if (!/^-?\d{1,19}$/.test(text.trim())) throw new Error('Write a whole number.')
  const exact = BigInt(text.trim())
  if (Number.isSafeInteger(Number(exact))) return Number(exact)
  return exact
}

function readFieldNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new Error('Write a number.')
  return number
}

type PlainKind =
  | 'text'
  | 'long-text'
  | 'integer'
  | 'number'
  | 'time'
  | 'stored-time'
  | 'boolean'
  | 'json'
  | 'texts'

type FieldKind =
  | { kind: PlainKind }
  | {
      kind: 'choice' | 'choices'
      values: readonly unknown[]
    }

export type FormField = FieldKind & {
  name: string
  title: string
  hint: string | undefined
  isRequired: boolean
  /** True if an empty input means `null`, and not an absent field. */
  isNullable: boolean
  schema: JsonSchema
}

export function toFields(schema: JsonSchema): FormField[] {
  const { properties = {}, required = [] } = resolveRef(schema, schema.$defs)
  return Object.entries(properties).map(([name, given]) => {
    const whole = resolveRef(given, schema.$defs)
    const options = (whole.anyOf ?? whole.oneOf)?.map((option) => resolveRef(option, schema.$defs))
    const [other, more] = options?.filter((option) => !takesNull(option)) ?? []
    const only =
      other && !more
        ? {
            description: whole.description,
            ...other,
          }
        : whole
    return {
      ...fieldKindOf(only, schema),
      name,
      title: given.title ?? name,
      hint: only.description,
      isRequired: required.includes(name),
      isNullable: [whole, ...(options ?? [])].some(takesNull),
      schema: only,
    }
  })
}

export function fitTo(value: RecordValue, fields: readonly FormField[]): FormField[] {
  return fields.map(
    (field) =>
      ({
        ...field,
        kind: kindFor(value[field.name], field.kind),
      }) as FormField,
  )
}

function kindFor(value: unknown, kind: FormField['kind']): FormField['kind'] {
  if (kind === 'texts' && Array.isArray(value)) {
    if (value.every((text) => typeof text === 'string' && /^[^\r\n]+$/.test(text))) return kind
    return 'json'
  }
  if ((kind !== 'text' && kind !== 'long-text') || typeof value !== 'string') return kind
  if (value.includes('\r')) return 'json'
  return value.includes('\n') ? 'long-text' : kind
}

function fieldKindOf(schema: JsonSchema, root: JsonSchema): FieldKind {
  if (schema.enum)
    return {
      kind: 'choice',
      values: schema.enum.filter((value) => value !== null),
    }
  const [type, ...more] = typeNamesOf(schema).filter((name) => name !== 'null')
  if (more.length > 0) return { kind: 'json' }
  switch (type) {
    case 'integer':
    case 'number':
      // The store keeps times as milliseconds since 1970.
      return { kind: schema.format === 'unix-ms' ? 'stored-time' : type }
    case 'boolean':
      return { kind: type }
    case 'string':
      if (schema.format === 'date-time') return { kind: 'time' }
      return { kind: (schema.maxLength ?? 0) > 300 ? 'long-text' : 'text' }
    case 'array':
      return kindOfList(resolveRef(schema.items ?? {}, root.$defs))
    default:
      return { kind: 'json' }
  }
}

function kindOfList(items: JsonSchema): FieldKind {
  if (items.enum)
    return {
      kind: 'choices',
      values: items.enum,
    }
  return { kind: typeNamesOf(items).join() === 'string' ? 'texts' : 'json' }
}

function resolveRef(schema: JsonSchema, schemas: JsonSchema['$defs'] = {}): JsonSchema {
  return schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
}

const takesNull = (schema: JsonSchema) => typeNamesOf(schema).includes('null')

function typeNamesOf({ type }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type]
  return type ?? []
}
