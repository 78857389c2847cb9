import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CORE_SCHEMA, load } from 'js-yaml'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { caseSchema } from '../../src/cases/format.ts'

const published = '../../scenarios/case.schema.json'

const toSchema = () => ({
  ...z.toJSONSchema(caseSchema, { io: 'input', unrepresentable: 'any' }),
  title: 'Greenhouse case',
})

test('scenarios/case.schema.json is what the code checks cases against', async () => {
  await expect(`${JSON.stringify(toSchema(), null, 2)}\n`).toMatchFileSnapshot(published)
})

test('it accepts the case of the documentation, and finds a misspelt field', () => {
  const page = readFileSync(new URL('../../docs/cases.md', import.meta.url), 'utf8')
  const given = load(/```yaml\n([^]*?)```/.exec(page)![1]!, { schema: CORE_SCHEMA }) as Record<string, unknown>
  const isValid = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(new URL(published, import.meta.url), 'utf8')) as object,
  )
  expect([isValid(given), isValid.errors]).toEqual([true, null])
  expect(isValid({ ...given, step: [] })).toBe(false)
})
