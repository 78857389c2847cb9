import { expect, test } from 'vitest'
import { areas } from '../../src/catalogue/catalogue.ts'
import { AssumptionRegistry, toAssume } from '../../src/core/contract/assumptions.ts'
import { typedFields, typedPrefixes } from '../../src/core/journal/typed-query.ts'
import { coreAssumptions } from '../../src/core/pipeline/assumptions.ts'
import { parametersOf } from '../../src/core/pipeline/operation.ts'
import { validationRules } from '../../src/core/pipeline/validate/index.ts'
import { conditionOptions } from '../../src/scenarios/language/options.ts'

const assumptions = Object.assign({}, coreAssumptions, ...areas.map((area) => area.assumptions))
const assume = toAssume({ assumptions: new AssumptionRegistry([assumptions]).resolve() })
const operations = areas.flatMap((area) => area.operations)

/** Returns all texts of a value, however deep. */
function textsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  return Object.values(value).flatMap(textsIn)
}

test.each<[what: string, texts: unknown[]]>([
  ['area', areas.flatMap(({ title, version }) => [title, version])],
  ['assumption', textsIn(assumptions)],
  ['operation', operations.flatMap(({ title, example }) => [title, ...textsIn(example)])],
  ['parameter', operations.flatMap((one) => textsIn(parametersOf(one, assume)))],
  ['rule', validationRules.map(({ finds }) => finds)],
  ['field of a question', textsIn([typedFields, typedPrefixes])],
  ['condition', textsIn(conditionOptions)],
])('each %s says what it is', (_, texts) => {
  expect(texts.length).toBeGreaterThan(3)
  expect(texts.filter((text) => typeof text === 'string' && text.trim() === '')).toEqual([])
})
