import { resolveRef } from '../../data/open-api.ts'
import type { JsonSchema } from '../../data/shapes.ts'

type FieldKind =
  | {
      readonly kind: 'text' | 'long-text' | 'integer' | 'number' | 'time' | 'stored-time' | 'boolean' | 'json' | 'texts'
    }
  | { readonly kind: 'choice' | 'choices'; readonly values: readonly unknown[] }

export type FormField = FieldKind & {
  readonly name: string
  readonly title: string
  readonly hint: string | undefined
  readonly isRequired: boolean
  /** Whether an empty input means `null`, and not an absent field. */
  readonly isNullable: boolean
  readonly schema: JsonSchema
}

export function toFields(schema: JsonSchema): FormField[] {
  const { properties = {}, required = [] } = resolveRef(schema, schema.$defs)
  return Object.entries(properties).map(([name, given]) => {
    const whole = resolveRef(given, schema.$defs)
    const options = (whole.anyOf ?? whole.oneOf)?.map((option) => resolveRef(option, schema.$defs))
    const types = typesOf(whole)
    const isNullable = types.includes('null') || options?.some((option) => typesOf(option).includes('null')) === true
    const others = options?.filter((option) => !typesOf(option).includes('null'))
    const only =
      others?.length === 1 ? { ...others[0]!, description: whole.description ?? others[0]!.description } : whole
    return {
      ...kindOf(only, schema),
      name,
      title: given.title ?? name,
      hint: only.description,
      isRequired: required.includes(name),
      isNullable,
      schema: only,
    } as FormField
  })
}

export function fitTo(value: Readonly<Record<string, unknown>>, fields: readonly FormField[]): FormField[] {
  return fields.map((field) => ({ ...field, kind: kindFor(value[field.name], field.kind) }) as FormField)
}

function kindFor(value: unknown, kind: FormField['kind']): FormField['kind'] {
  if (kind === 'texts' && Array.isArray(value))
    return value.every((text) => typeof text === 'string' && /^[^\r\n]+$/.test(text)) ? kind : 'json'
  if ((kind !== 'text' && kind !== 'long-text') || typeof value !== 'string') return kind
  return value.includes('\r') ? 'json' : value.includes('\n') ? 'long-text' : kind
}

function kindOf(schema: JsonSchema, root: JsonSchema): FieldKind {
  if (schema.enum) return { kind: 'choice', values: schema.enum.filter((value) => value !== null) }
  const [type, ...more] = typesOf(schema).filter((name) => name !== 'null')
  if (more.length > 0) return { kind: 'json' }
  switch (type) {
    case 'integer':
    case 'number':
      // The store keeps times as milliseconds since 1970.
      return { kind: schema.format === 'unix-ms' ? 'stored-time' : type }
    case 'boolean':
      return { kind: type }
    case 'string':
      return { kind: schema.format === 'date-time' ? 'time' : (schema.maxLength ?? 0) > 300 ? 'long-text' : 'text' }
    case 'array':
      return kindOfList(resolveRef(schema.items ?? {}, root.$defs))
    default:
      return { kind: 'json' }
  }
}

function kindOfList(items: JsonSchema): FieldKind {
  if (items.enum) return { kind: 'choices', values: items.enum }
  return { kind: typesOf(items).join() === 'string' ? 'texts' : 'json' }
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type
}
