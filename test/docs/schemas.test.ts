import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { CORE_SCHEMA, load } from 'js-yaml'
import { expect, test } from 'vitest'
import { toScenarioSchema } from '../../build/generators/data-schemas.ts'
import { bundledScenarios } from '../../src/scenarios/language/bundled.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const caseFile = '../../scenarios/case.schema.json'

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

test('the schema of fixtures accepts all documented and default ones, and finds a misspelt field', () => {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(read(fixtureFile)),
  )
  const page = read('../../docs/fixtures.md')
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text!)
  const bundled = ['accounts', 'apps', 'plants'].map((name) => read(`../../fixtures/${name}.yaml`))
  for (const text of [...blocks, ...bundled])
    expect([isValid(load(text, { schema: CORE_SCHEMA })), isValid.errors]).toEqual([true, null])
  const own = {
    accounts: [{ id: 'a', name: 'A', email: 'a@example.com', plan: 'team' }],
    keys: [{ secret: 'k', account: 'a', scopes: ['plants:water'] }],
    webhooks: [{ id: 'w', url: 'http://127.0.0.1', account: 'a', events: ['plant.watered'] }],
  }
  expect([isValid(own), isValid.errors]).toEqual([true, null])
  expect(isValid({ plants: [{ id: 1, nmae: 'Fern' }] })).toBe(false)
})

type Json = { readonly [member: string]: unknown }

const scenarioFile = '../../scenarios/scenario.schema.json'
const head = { title: 'T', description: 'D', covers: 'C' }

test('every member and field has a description that an editor can show', () => {
  expect(undescribed(toScenarioSchema() as Json, '')).toEqual([])
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
  'a plan of your own': {
    ...head,
    account: [{ plan: 'team', where: { plan: 'team' } }],
    quota: [{ window: 'day', where: { plan: 'team' } }],
  },
  'a scope of your own': {
    ...head,
    keys: [{ scopes: ['plants:water'] }, { without: 'plants:water' }],
  },
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
  ['a plan that can be none', { ...head, account: [{ plan: '1st' }] }],
  ['a scope that can be none', { ...head, keys: [{ without: 'water' }] }],
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
