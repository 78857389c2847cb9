import { expect, test } from 'vitest'
import { toConfigSchema } from '../../build/generators/config-schema.ts'
import {
  toCaseSchema,
  toFixtureSchema,
  toScenarioSchema,
} from '../../build/generators/data-schemas.ts'
import { toAssumptionValues, toInlineScenario, toKnownNames } from '../../build/generators/names.ts'
import {
  namedSchemas,
  toCaseTypes,
  toRecordTypes,
  toWireTypes,
} from '../../build/generators/wire-types.ts'
import { areas } from '../../src/catalogue/catalogue.ts'

const toText = (schema: object) => `${JSON.stringify(schema, null, 2)}\n`

test.each<[file: string, write: () => string | Promise<string>]>([
  ['scenarios/scenario.schema.json', () => toText(toScenarioSchema())],
  ['scenarios/case.schema.json', () => toText(toCaseSchema())],
  ['scenarios/config.schema.json', () => toText(toConfigSchema())],
  ['fixtures/fixtures.schema.json', () => toText(toFixtureSchema())],
  ['src/api/generated/known-names.ts', toKnownNames],
  ['src/core/contract/generated/assumption-values.ts', toAssumptionValues],
  ['src/api/generated/inline-scenario.ts', toInlineScenario],
  ['src/api/generated/wire-types.ts', toWireTypes],
  ['src/areas/generated/records.ts', toRecordTypes],
  ['src/cases/generated/case.ts', toCaseTypes],
])('%s follows from the code: npm run generate writes it', async (file, write) => {
  await expect(await write()).toMatchFileSnapshot(`../../${file}`)
})

test('a type has the name of every schema in the document', () => {
  const documented = areas.flatMap((area) => Object.values(area.schemas ?? {}))
  expect(documented.length).toBeGreaterThan(20)
  expect(documented.filter((schema) => !(namedSchemas as unknown[]).includes(schema))).toEqual([])
})
