import * as z from 'zod/mini'
import { conditions } from './condition.ts'
import { effectKinds, headSchema } from './schema.ts'

type Json = { readonly [member: string]: unknown }

/** The schema of a string with `${option}`, whose value is known only when the scenario is used. */
const filledIn = { $ref: '#/$defs/placeholder' }

/**
 * Returns the JSON Schema (2020-12) of a scenario file, for editors. It does not find every mistake that loading the file
 * finds, such as an unknown operation.
 */
export function toFileSchema(): Json {
  const head = toJson(headSchema)
  const effects = Object.fromEntries(effectKinds.map(({ name, schema }) => [name, allowPlaceholders(toJson(schema))]))
  const shared: Record<string, Json> = {}
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Greenhouse scenario',
    description:
      'A situation that Greenhouse can simulate: what it is, and what goes wrong. The name of the file is the name of the scenario.',
    type: 'object',
    properties: {
      ...(head.properties as Json),
      ...(mapParts({ properties: effects }, (part) => share(part, shared)).properties as Json),
    },
    required: head.required,
    anyOf: effectKinds.map(({ name }) => ({ required: [name] })),
    additionalProperties: false,
    $defs: { placeholder: { type: 'string', pattern: '\\$\\{[a-z][a-z0-9-]*\\}' }, ...shared },
  }
}

function toJson(schema: z.core.$ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Json
  return json
}

function allowPlaceholders(schema: Json): Json {
  const { description, ...rest } = mapParts(schema, (part) => allowPlaceholders(part))
  const alternatives = (rest.anyOf ?? rest.oneOf) as Json[] | undefined
  if (alternatives) {
    const { oneOf: _, ...others } = rest
    const isScalar = alternatives.every((one) => one.type !== 'object' && one.type !== 'array')
    return {
      ...(description !== undefined && { description }),
      ...others,
      anyOf: isScalar && !alternatives.some(isAnyText) ? [...alternatives, filledIn] : alternatives,
    }
  }
  const isScalar =
    'enum' in rest || 'const' in rest || ['string', 'integer', 'number', 'boolean'].includes(rest.type as string)
  return {
    ...(description !== undefined && { description }),
    ...(isScalar && !isAnyText(rest) ? { anyOf: [rest, filledIn] } : rest),
  }
}

function share(schema: Json, shared: Record<string, Json>): Json {
  return mapParts(schema, (part, name) => {
    if (name === undefined || !Object.hasOwn(conditions, name)) return share(part, shared)
    shared[name] ??= part
    return JSON.stringify(shared[name]) === JSON.stringify(part) ? { $ref: `#/$defs/${name}` } : part
  })
}

function isAnyText(schema: Json): boolean {
  return (
    schema.type === 'string' && Object.keys(schema).every((member) => member === 'type' || member === 'description')
  )
}

/** Changes the schemas directly within a schema. @param change gets the name of one that is a property's. */
function mapParts(schema: Json, change: (part: Json, name?: string) => Json): Json {
  const changed = Object.entries(schema).map(([member, value]): [string, unknown] => {
    if (typeof value !== 'object' || value === null) return [member, value]
    if (member === 'items' || member === 'additionalProperties') return [member, change(value as Json)]
    if (member === 'anyOf' || member === 'oneOf') return [member, (value as Json[]).map((part) => change(part))]
    if (member !== 'properties') return [member, value]
    const properties = Object.entries(value as Record<string, Json>)
    return [member, Object.fromEntries(properties.map(([name, part]) => [name, change(part, name)]))]
  })
  return Object.fromEntries(changed)
}
