import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { CORE_SCHEMA, load } from 'js-yaml'
import { expect, test } from 'vitest'
import { caseSchema } from '../../src/cases/format.ts'
import { int64 } from '../../src/areas/plants/schemas.ts'
import { formOf } from '../../src/fixtures/forms.ts'
import { generateSchema, generators } from '../../src/fixtures/resolve.ts'
import { collections } from '../../src/api/assembly/catalogue.ts'
import { bundledScenarios } from '../../src/scenarios/language/bundled.ts'
import { conditions as conditionSchemas } from '../../src/scenarios/language/condition.ts'
import { effectKinds, headSchema } from '../../src/scenarios/language/schema.ts'
import * as z from 'zod/mini'

const toText = (schema: object) => `${JSON.stringify(schema, null, 2)}\n`
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const caseFile = '../../scenarios/case.schema.json'

test('scenarios/case.schema.json is what the code checks cases against', async () => {
  const schema = {
    ...z.toJSONSchema(caseSchema, { io: 'input', unrepresentable: 'any' }),
    title: 'Greenhouse case',
  }
  await expect(toText(schema)).toMatchFileSnapshot(caseFile)
})

test('the schema of cases accepts the documented case, and finds a misspelt field', () => {
  const page = read('../../docs/cases.md')
  const given = load(/```yaml\n([^]*?)```/.exec(page)![1]!, { schema: CORE_SCHEMA }) as Record<
    string,
    unknown
  >
  const isValid = new Ajv2020({ strict: false }).compile(JSON.parse(read(caseFile)))
  expect([isValid(given), isValid.errors]).toEqual([true, null])
  expect(isValid({ ...given, step: [] })).toBe(false)
})

const fixtureFile = '../../fixtures/fixtures.schema.json'

const toJson = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if ((zodSchema._zod as unknown) === int64._zod)
        Object.assign(jsonSchema, { type: 'integer', anyOf: undefined })
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      // Fixtures add plans.
      if (jsonSchema.enum?.includes('pro_plus')) jsonSchema.examples = jsonSchema.enum.splice(0)
      if (jsonSchema.enum?.length === 0) delete jsonSchema.enum
    },
  }) as { readonly properties?: object; readonly $schema?: string }

/** A record that changes another one has only some of the fields. */
const itemOf = (definition: (typeof collections)[number]) => {
  const { properties } = toJson(formOf(definition).schema)
  return { type: 'object', properties, additionalProperties: false }
}

const toFixtureSchema = () => ({
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

test('fixtures/fixtures.schema.json has the fields of every collection', async () => {
  await expect(toText(toFixtureSchema())).toMatchFileSnapshot(fixtureFile)
})

test('the schema of fixtures accepts all documented and default ones, and finds a misspelt field', () => {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(read(fixtureFile)),
  )
  const page = read('../../docs/fixtures.md')
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text!)
  const bundled = ['accounts', 'apps', 'plants'].map((name) => read(`../../fixtures/${name}.yaml`))
  for (const text of [...blocks, ...bundled])
    expect([isValid(load(text, { schema: CORE_SCHEMA })), isValid.errors]).toEqual([true, null])
  expect(isValid({ plants: [{ id: 1, nmae: 'Fern' }] })).toBe(false)
})

type Json = { readonly [member: string]: unknown }

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
function toFileSchema() {
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

const scenarioFile = '../../scenarios/scenario.schema.json'
const head = { title: 'T', description: 'D', covers: 'C' }

test('scenarios/scenario.schema.json is what the code checks files against', async () => {
  await expect(toText(toFileSchema())).toMatchFileSnapshot(scenarioFile)
})

test('every member and field has a description that an editor can show', () => {
  expect(undescribed(toFileSchema() as Json, '')).toEqual([])
})

test('every bundled scenario is valid, also from its file', () => {
  const validate = compile()
  for (const [name, scenario] of bundledScenarios) {
    expect(problems(validate, scenario), name).toEqual([])
    expect(problems(validate, load(read(`../../scenarios/${name}.yaml`))), name).toEqual([])
  }
})

test('every bundled scenario names the schema in its first line, for editors', () => {
  const first = '# yaml-language-server: $schema=scenario.schema.json\n'
  const names = [...bundledScenarios.keys()]
  expect(names.filter((name) => !read(`../../scenarios/${name}.yaml`).startsWith(first))).toEqual(
    [],
  )
})

const withOption = (value: unknown, effects: Json) => ({
  ...head,
  options: { n: { default: value } },
  ...effects,
})
const conditions = {
  on: ['plants.*'],
  where: { plan: 'any', account: 'a', key: 'k' },
  times: 1,
  after: 0,
  every: 2,
}
const malform = [{ on: 'plants.list', at: '/${n}/name', kind: 'missing' }]

const valid: Readonly<Record<string, Json>> = {
  'a placeholder in the place of a number': withOption(1, {
    quota: [{ window: 'day', remaining: '${n}' }],
  }),
  'a placeholder in the place of a listed value': withOption('day', {
    quota: [{ window: '${n}' }],
  }),
  'a placeholder in the middle of a pointer': withOption(1, { malform }),
  'a placeholder in the place of true': withOption(true, {
    respond: [{ status: 500, in_front: '${n}' }],
  }),
  'every condition': { ...head, fault: [{ kind: 'reset', ...conditions, probability: 0.5 }] },
}

test.each(Object.entries(valid))('%s is valid', (_, scenario) => {
  expect(problems(compile(), scenario)).toEqual([])
})

test.each<[what: string, scenario: unknown]>([
  ['nothing that happens', head],
  ['an unknown member', { ...head, assume: {}, respnd: [] }],
  ['an unknown field', { ...head, quota: [{ window: 'day', remainig: 1 }] }],
  ['a number in words', { ...head, quota: [{ window: 'day', remaining: 'few' }] }],
  ['a negative number', { ...head, quota: [{ window: 'day', remaining: -1 }] }],
  ['an unknown condition', { ...head, account: [{ plan: 'free', where: { colour: 'red' } }] }],
  ['a field of another fault', { ...head, fault: [{ kind: 'reset', fixed: '1s' }] }],
])('%s is not valid', (_, scenario) => {
  expect(problems(compile(), scenario)).not.toEqual([])
})

/** Compiled once: it takes a tenth of a second. */
let compiled: ValidateFunction | undefined

function compile(): ValidateFunction {
  return (compiled ??= new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
  }).compile(JSON.parse(read(scenarioFile))))
}

function problems(validate: ValidateFunction, scenario: unknown): string[] {
  validate(scenario)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

function undescribed(schema: Json, path: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const inner = [schema.items, schema.additionalProperties].filter(
    (part) => typeof part === 'object',
  )
  const parts = [...((schema.anyOf ?? []) as Json[]), ...(inner as Json[])]
  return [
    ...properties
      .filter(
        ([name, part]) =>
          name !== 'kind' && part.description === undefined && part.$ref === undefined,
      )
      .map(([name]) => `${path}/${name}`),
    ...properties.flatMap(([name, part]) => undescribed(part, `${path}/${name}`)),
    ...parts.flatMap((part) => undescribed(part, path)),
    ...Object.entries((schema.$defs ?? {}) as Record<string, Json>).flatMap(([name, part]) =>
      undescribed(part, `${path}/$defs/${name}`),
    ),
  ]
}
