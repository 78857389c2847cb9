import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { load } from 'js-yaml'
import { bundledScenarios } from '../../src/scenarios/language/default.ts'
import { toFileSchema } from '../../src/scenarios/language/file-schema.ts'

type Json = { readonly [member: string]: unknown }

const published = new URL('../../scenarios/scenario.schema.json', import.meta.url)
const head = { title: 'T', description: 'D', covers: 'C' }

test('scenarios/scenario.schema.json is what the code checks files against', async () => {
  await expect(`${JSON.stringify(toFileSchema(), null, 2)}\n`).toMatchFileSnapshot(
    '../../scenarios/scenario.schema.json',
  )
})

test('every member and field has a description that an editor can show', () => {
  expect(undescribed(toFileSchema() as Json, '')).toEqual([])
})

test('every bundled scenario is valid, also from its file', () => {
  const validate = compile()
  for (const [name, scenario] of bundledScenarios) {
    expect(problems(validate, scenario), name).toEqual([])
    expect(
      problems(validate, load(readFileSync(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8'))),
      name,
    ).toEqual([])
  }
})

test('every bundled scenario names the schema in its first line, for editors', () => {
  const without = [...bundledScenarios.keys()].filter(
    (name) =>
      !readFileSync(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8').startsWith(
        '# yaml-language-server: $schema=scenario.schema.json\n',
      ),
  )
  expect(without).toEqual([])
})

const right: [what: string, scenario: Json][] = [
  [
    'a placeholder in the place of a number',
    { ...head, options: { n: { default: 1 } }, quota: [{ window: 'day', remaining: '${n}' }] },
  ],
  [
    'a placeholder in the place of a listed value',
    { ...head, options: { n: { default: 'day' } }, quota: [{ window: '${n}' }] },
  ],
  [
    'a placeholder in the middle of a pointer',
    { ...head, options: { n: { default: 1 } }, malform: [{ on: 'plants.list', at: '/${n}/name', kind: 'missing' }] },
  ],
  [
    'a placeholder in the place of true',
    { ...head, options: { n: { default: true } }, respond: [{ status: 500, in_front: '${n}' }] },
  ],
  [
    'every condition',
    {
      ...head,
      fault: [
        {
          kind: 'reset',
          on: ['plants.*'],
          where: { plan: 'any', account: 'a', key: 'k' },
          times: 1,
          after: 0,
          every: 2,
          probability: 0.5,
        },
      ],
    },
  ],
]

for (const [what, scenario] of right)
  test(`${what} is valid`, () => {
    expect(problems(compile(), scenario)).toEqual([])
  })

const wrong: [what: string, scenario: unknown][] = [
  ['a list', []],
  ['nothing that happens', head],
  ['a missing title', { description: 'D', covers: 'C', assume: {} }],
  ['a blank title', { ...head, title: ' ', assume: {} }],
  ['an unknown member', { ...head, assume: {}, respnd: [] }],
  ['an option without a default', { ...head, options: { n: {} }, assume: {} }],
  ['an unknown field of an option', { ...head, options: { n: { default: 1, defualt: 2 } }, assume: {} }],
  ['an effect that is no list', { ...head, quota: { window: 'day' } }],
  ['an unknown field', { ...head, quota: [{ window: 'day', remainig: 1 }] }],
  ['a missing field', { ...head, quota: [{ remaining: 1 }] }],
  ['a value that is none of the listed', { ...head, quota: [{ window: 'hour' }] }],
  ['a number in words', { ...head, quota: [{ window: 'day', remaining: 'few' }] }],
  ['a negative number', { ...head, quota: [{ window: 'day', remaining: -1 }] }],
  ['an unknown plan in where', { ...head, account: [{ plan: 'free', where: { plan: 'gold' } }] }],
  ['an unknown condition', { ...head, account: [{ plan: 'free', where: { colour: 'red' } }] }],
  ['a probability above 1', { ...head, account: [{ plan: 'free', probability: 2 }] }],
  ['no times', { ...head, account: [{ plan: 'free', times: 0 }] }],
  ['an empty list of operations', { ...head, account: [{ plan: 'free', on: [] }] }],
  ['a status that is none', { ...head, respond: [{ status: 99 }] }],
  ['an unknown error', { ...head, respond: [{ error: 'notfound' }] }],
  ['a fault of no kind', { ...head, fault: [{ fixed: '1s' }] }],
  ['an unknown fault', { ...head, fault: [{ kind: 'dely' }] }],
  ['a field of another fault', { ...head, fault: [{ kind: 'reset', fixed: '1s' }] }],
  ['a bound that is missing', { ...head, fault: [{ kind: 'delay', uniform: { min: '1s' } }] }],
]

for (const [what, scenario] of wrong)
  test(`${what} is not valid`, () => {
    expect(problems(compile(), scenario)).not.toEqual([])
  })

/** Compiled once: it takes a tenth of a second. */
let compiled: ValidateFunction | undefined

function compile(): ValidateFunction {
  return (compiled ??= new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(
    JSON.parse(readFileSync(published, 'utf8')),
  ))
}

function problems(validate: ValidateFunction, scenario: unknown): string[] {
  validate(scenario)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

function undescribed(schema: Json, path: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const parts = [
    ...((schema.anyOf ?? []) as Json[]),
    ...(['items', 'additionalProperties']
      .map((name) => schema[name])
      .filter((part) => typeof part === 'object') as Json[]),
  ]
  return [
    ...properties
      .filter(([name, part]) => name !== 'kind' && part.description === undefined && part.$ref === undefined)
      .map(([name]) => `${path}/${name}`),
    ...properties.flatMap(([name, part]) => undescribed(part, `${path}/${name}`)),
    ...parts.flatMap((part) => undescribed(part, path)),
    ...Object.entries((schema.$defs ?? {}) as Record<string, Json>).flatMap(([name, part]) =>
      undescribed(part, `${path}/$defs/${name}`),
    ),
  ]
}
