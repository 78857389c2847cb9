import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CORE_SCHEMA, load } from 'js-yaml'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { int64 } from '../../src/areas/plants/schemas.ts'
import { exactFormOf, shortFormOf } from '../../src/fixtures/forms.ts'
import { generators } from '../../src/fixtures/resolve.ts'
import { collections } from '../../src/api/assembly/catalogue.ts'

const published = '../../fixtures/fixtures.schema.json'

const toJson = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if ((zodSchema._zod as unknown) === int64._zod) Object.assign(jsonSchema, { type: 'integer', anyOf: undefined })
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      // Fixtures add plans.
      if (jsonSchema.enum?.includes('pro_plus')) jsonSchema.examples = jsonSchema.enum.splice(0)
      if (jsonSchema.enum?.length === 0) delete jsonSchema.enum
    },
  }) as { readonly properties?: object }

/** The fields of both forms. A record that changes another one has only some of them. */
const itemOf = (definition: (typeof collections)[number]) => ({
  type: 'object',
  properties: {
    ...(exactFormOf(definition) && toJson(exactFormOf(definition)!.schema as never).properties),
    ...toJson(shortFormOf(definition).schema as never).properties,
  },
  additionalProperties: false,
})

const toSchema = () => ({
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
    generate: {
      description: 'Records to make up, by collection.',
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(generators).map(([name, { of }]) => [
          name,
          {
            type: 'object',
            properties: { count: { type: 'integer', minimum: 1 }, [of]: { type: 'string' }, seed: { type: 'integer' } },
            required: ['count', of],
            additionalProperties: false,
          },
        ]),
      ),
      additionalProperties: false,
    },
    ...Object.fromEntries(collections.map((one) => [one.name, { type: 'array', items: itemOf(one) }])),
  },
})

test('fixtures/fixtures.schema.json has the fields of every collection', async () => {
  await expect(`${JSON.stringify(toSchema(), null, 2)}\n`).toMatchFileSnapshot(published)
})

test('it accepts the files of the documentation and the default ones, and finds a misspelt field', () => {
  const schema = JSON.parse(readFileSync(new URL(published, import.meta.url), 'utf8')) as object
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  const page = readFileSync(new URL('../../docs/fixtures.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text!)
  const bundled = ['accounts', 'apps', 'plants'].map((name) =>
    readFileSync(new URL(`../../fixtures/${name}.yaml`, import.meta.url), 'utf8'),
  )
  for (const text of [...blocks, ...bundled])
    expect([isValid(load(text, { schema: CORE_SCHEMA })), isValid.errors]).toEqual([true, null])
  expect(isValid({ plants: [{ id: 1, nmae: 'Fern' }] })).toBe(false)
})
