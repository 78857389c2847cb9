import * as z from 'zod/mini'
import { int64 } from '../../src/areas/plants/schemas.ts'
import { collections } from '../../src/catalogue/catalogue.ts'
import { caseSchema } from '../../src/cases/format.ts'
import { formOf } from '../../src/fixtures/forms.ts'
import { generateSchema, generators } from '../../src/fixtures/generate.ts'
import { conditions as conditionSchemas } from '../../src/scenarios/language/condition.ts'
import { effectKinds, headSchema } from '../../src/scenarios/language/schema.ts'

/** The JSON Schema of cases: what the code checks them against. */
export function toCaseSchema() {
  const schema = z.toJSONSchema(caseSchema, { io: 'input', unrepresentable: 'any' })
  return { ...schema, title: 'Greenhouse case' }
}

/** The lists to which users add names, by one of their names, with the form of the others. */
const openLists: Readonly<Record<string, string>> = {
  pro_plus: '^[A-Za-z][\\w-]{0,49}$',
  'plants:read': '^[A-Za-z][\\w-]*:[A-Za-z][\\w-]*$',
  'plant.created': '^\\S+$',
}

/** Lets an editor complete the names that it knows, and accept those of users. */
function openList(schema: z.core.JSONSchema.BaseSchema): void {
  const known = schema.enum?.map(String) ?? []
  const [, pattern] = Object.entries(openLists).find(([name]) => known.includes(name)) ?? []
  if (pattern === undefined) return
  schema.anyOf = [{ enum: known }, { pattern }]
  delete schema.enum
}

const toJson = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if ((zodSchema._zod as unknown) === int64._zod)
        Object.assign(jsonSchema, { type: 'integer', anyOf: undefined })
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      openList(jsonSchema)
    },
  }) as { readonly properties?: object; readonly $schema?: string }

/** A record that changes another one has only some of the fields. */
const itemOf = (definition: (typeof collections)[number]) => {
  const { properties } = toJson(formOf(definition).schema)
  return { type: 'object', properties, additionalProperties: false }
}

/** The JSON Schema of fixtures: the fields of every collection. */
export const toFixtureSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Greenhouse fixtures',
  type: 'object',
  properties: {
    extends: {
      description: 'What to add to: default, or files and folders, relative to this file.',
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
    remove: {
      description: 'The keys of records to leave out, by collection.',
      type: 'object',
      properties: Object.fromEntries(collections.map(({ name }) => [name, { type: 'array' }])),
    },
    gone: {
      description: 'Records that were deleted, to which others may refer: apps/app_1.',
      type: 'array',
      items: { type: 'string' },
    },
    generate: {
      description: 'Records to make up, by collection.',
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(generators).map(([name, { of }]) => {
          const { $schema: _, ...options } = toJson(generateSchema(of))
          return [name, options]
        }),
      ),
      additionalProperties: false,
    },
    ...Object.fromEntries(
      collections.map((one) => [one.name, { type: 'array', items: itemOf(one) }]),
    ),
  },
})

/** A string with `${option}`, whose value is known only when the scenario is used. */
const filledIn = { $ref: '#/$defs/placeholder' }

const isAnyText = ({ type, description: _, ...rest }: z.core.JSONSchema.BaseSchema) =>
  type === 'string' && Object.keys(rest).length === 0

function allowPlaceholder(schema: z.core.JSONSchema.BaseSchema) {
  const { description: _, oneOf, anyOf = oneOf, ...rest } = schema
  delete schema.oneOf
  const isScalar =
    'enum' in rest || 'const' in rest || /^(string|integer|number|boolean)$/.test(String(rest.type))
  const hasText =
    anyOf?.some((one) => isAnyText(one) || one.$ref === filledIn.$ref) ?? isAnyText(schema)
  if (anyOf ? anyOf.some(({ type }) => type === 'object' || type === 'array') : !isScalar)
    schema.anyOf = anyOf
  else if (!hasText) {
    if (!anyOf) for (const name of Object.keys(rest)) delete schema[name]
    schema.anyOf = [...(anyOf ?? [rest]), filledIn]
  }
}

/**
 * The JSON Schema of scenario files. It does not find every mistake that loading finds, such as an
 * unknown operation.
 */
export function toScenarioSchema() {
  const options = { io: 'input', unrepresentable: 'any' } as const
  const shared: Record<string, unknown> = {
    placeholder: { type: 'string', pattern: '\\$\\{[a-z][a-z0-9-]*\\}' },
  }
  const head = z.toJSONSchema(headSchema, options)
  const effects = z.object(
    Object.fromEntries(effectKinds.map(({ name, schema }) => [name, z.optional(schema)])),
  )
  const { properties } = z.toJSONSchema(effects, {
    ...options,
    override({ zodSchema, jsonSchema }) {
      const { shape = {} } = zodSchema._zod.def as Partial<z.core.$ZodObjectDef>
      for (const [name, schema] of Object.entries(conditionSchemas))
        if ((shape[name]?._zod as unknown) === schema._zod) {
          shared[name] ??= jsonSchema.properties![name]
          jsonSchema.properties![name] = { $ref: `#/$defs/${name}` }
        }
      openList(jsonSchema)
      allowPlaceholder(jsonSchema)
    },
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Greenhouse scenario',
    description:
      'A situation that Greenhouse can simulate: what it is, and what goes wrong. The name of the file is the name of the scenario.',
    type: 'object',
    properties: { ...head.properties, ...properties },
    required: head.required,
    anyOf: effectKinds.map(({ name }) => ({ required: [name] })),
    additionalProperties: false,
    $defs: shared,
  }
}
