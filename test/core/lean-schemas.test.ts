import fc from 'fast-check'
import type * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { expect, test } from 'vitest'
import { replay } from '../../build/replay-zod.mjs'
import { areas, collections } from '../../src/greenhouse/catalogue.ts'
import { times } from '../support/soak.ts'

type Schema = z.ZodMiniType

const schemas = new Map<string, Schema>()
for (const { name, operations, schemas: named, eventSchemas } of areas) {
  for (const { id, body, result } of operations) {
    if (body) schemas.set(`the body of ${id}`, body)
    if (result) schemas.set(`the result of ${id}`, result)
  }
  for (const [title, schema] of Object.entries({ ...named, ...eventSchemas })) schemas.set(`${name}: ${title}`, schema)
}
for (const { name, schema, fixture } of collections) {
  schemas.set(`records of ${name}`, schema as unknown as Schema)
  if (fixture) schemas.set(`fixtures of ${name}`, fixture.schema as unknown as Schema)
}

const inEnglish = { error: en().localeError }
const quiet = { error: () => 'Invalid input' }

/** What a schema makes of a value, in words and without. */
const outcomeOf = (schema: Schema, value: unknown) =>
  [inEnglish, quiet].map((context) => {
    const { success, data, error } = schema.safeParse(value, context)
    return success ? { data } : { issues: error.issues }
  })

/** Values that schemas care about, and some that they do not. */
const leaf = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>('', 'a', ' a ', '😀', 'a@b.co', 'pro', 'web', 'USD', 'active', 'pending', 'ok'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      'https://a.example/x',
      'http:a',
      'whsec_AA==',
      'fp_0123456789ab',
      '2026-01-31T12:00:00Z',
      '30d ago',
      '2026-02-30T00:00:00Z',
      'my.site.example',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      0,
      1,
      -1,
      1.5,
      2 ** 31,
      2 ** 53,
      -(2 ** 60),
      1_000_001,
      NaN,
      Infinity,
      8.64e15,
      5n,
      2n ** 70n,
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      undefined,
      true,
      false,
      [],
      {},
      ['a'],
      [[]],
      { id: 1 },
      Object.create(null),
    ),
  },
  fc.string(),
  fc.double(),
)

/** Values near to what a schema takes: as it has it in most places. */
function near(schema: z.core.$ZodType, depth = 0): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const right = ((): fc.Arbitrary<unknown> => {
    switch (def.type) {
      case 'optional':
      case 'nullable':
        return near(def.innerType, depth)
      case 'pipe':
        return near(def.in, depth)
      case 'string':
        return fc.constantFrom(
          'a',
          'a@b.co',
          '2026-01-31T12:00:00Z',
          'https://a.example/x',
          'my.site.example',
          'MY.Site.example',
        )
      case 'number':
        return fc.constantFrom(0, 1, 20, 1.5, -1, 2 ** 40)
      case 'boolean':
        return fc.boolean()
      case 'enum':
        return fc.constantFrom(...Object.values(def.entries), 'none')
      case 'literal':
        return fc.constantFrom<unknown>(...def.values)
      case 'array':
        return fc.array(near(def.element, depth + 1), { maxLength: 3 })
      case 'union':
        return fc.oneof(...def.options.map((option) => near(option, depth + 1)))
      case 'record':
        return fc.dictionary(fc.string(), leaf, { maxKeys: 3 })
      case 'object': {
        const fields = Object.fromEntries(
          Object.entries(def.shape).map(([name, part]) => [name, near(part, depth + 1)]),
        )
        return fc
          .record(fields, { requiredKeys: [] })
          .chain((value) => fc.constantFrom(value, { ...value, surplus: 1 }, { ...value, ['__proto__x']: 1 }))
      }
      default:
        return leaf
    }
  })()
  return fc.oneof({ weight: depth === 0 ? 30 : 12, arbitrary: right }, { weight: 1, arbitrary: leaf })
}

test('there are schemas of operations, events, records and fixtures', () => {
  expect(schemas.size).toBeGreaterThan(70)
})

test.each([...schemas])('%s finds what zod finds, in the same order and words', (_, schema) => {
  const ofZod = replay(schema)
  expect(ofZod).not.toBe(schema)
  fc.assert(
    fc.property(near(schema), (value) => {
      expect(outcomeOf(schema, value)).toEqual(outcomeOf(ofZod, value))
    }),
    { numRuns: times(2_000, 60) },
  )
})

test('as a Standard Schema it says what zod says', () => {
  for (const schema of schemas.values())
    for (const value of [{}, null, { id: 5, name: '' }])
      expect(schema['~standard'].validate(value)).toEqual(replay(schema)['~standard'].validate(value))
})
