import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { iso } from 'zod/v4/mini'
import { toJson } from '../../src/core/http/json.ts'
import { declareOperation } from '../../src/core/pipeline/operation.ts'
import {
  malformAt,
  malformationsOf,
  valueOutOfRange,
} from '../../src/scenarios/language/malformation.ts'
import { pointerOf, replyFieldsOf } from '../../src/scenarios/language/reply-fields.ts'
import { errorsOf, expectMalformed } from './contract.ts'

const place = z.object({ lat: z.number().check(z.gte(-90), z.lte(90)) })

interface Tree {
  name: string
  children: Tree[]
}
const tree: z.ZodMiniType<Tree> = z.object({
  name: z.string(),
  children: z.array(z.lazy(() => tree)),
})

/**
 * A field's schema, a value that is sound, and every malformation of it, with `!` where it breaks
 * the schema.
 */
const shapes: [
  shape: string,
  schema: z.ZodMiniType,
  value: unknown,
  expected: string | Record<string, string>,
][] = [
  ['an enum', z.enum(['a', 'b']), 'a', 'missing! null! wrong-type! empty! huge! bad-enum!'],
  [
    'enum or null',
    z.nullable(z.enum(['a', 'b'])),
    null,
    'missing! null wrong-type! empty! huge! bad-enum!',
  ],
  ['a literal', z.literal('app'), 'app', 'missing! null! wrong-type! empty! huge! bad-enum!'],
  ['numbers to choose from', z.literal([1, 2]), 1, 'missing! null! wrong-type! huge! bad-enum!'],
  ['always true', z.literal(true), true, 'missing! null! wrong-type! bad-enum!'],
  ['true or false', z.literal([true, false]), true, 'missing! null! wrong-type!'],
  ['a boolean', z.boolean(), false, 'missing! null! wrong-type!'],
  ['a number', z.number(), 1.5, 'missing! null! wrong-type! huge'],
  ['a safe integer', z.int(), 7, 'missing! null! wrong-type! huge! out-of-range!'],
  ['a count', z.int().check(z.nonnegative()), 0, 'missing! null! wrong-type! huge! out-of-range!'],
  [
    'a positive number',
    z.number().check(z.positive()),
    3,
    'missing! null! wrong-type! huge out-of-range!',
  ],
  [
    'a number below 5',
    z.number().check(z.lt(5)),
    3,
    'missing! null! wrong-type! huge! out-of-range!',
  ],
  [
    'a nullable number that is null',
    z.nullable(z.number()),
    null,
    'missing! null wrong-type! huge',
  ],
  ['a number after null', z.union([z.null(), z.number()]), null, 'missing! null wrong-type! huge'],
  [
    'an optional number that is absent',
    z.optional(z.number()),
    undefined,
    'missing null! wrong-type! huge',
  ],
  [
    'a time',
    z.iso.datetime(),
    '2026-01-01T00:00:00Z',
    'missing! null! wrong-type! empty! huge! out-of-range!',
  ],
  [
    'a time or null',
    z.nullable(z.iso.datetime()),
    null,
    'missing! null wrong-type! empty! huge! out-of-range!',
  ],
  ['a day', iso.date(), '2026-01-01', 'missing! null! wrong-type! empty! huge! out-of-range!'],
  ['a URL', z.url(), 'https://a.test/', 'missing! null! wrong-type! empty! huge!'],
  ['a short text', z.string().check(z.maxLength(9)), 'a', 'missing! null! wrong-type! empty huge!'],
  ['an id', z.string().check(z.regex(/^app_/)), 'app_1', 'missing! null! wrong-type! empty! huge!'],
  [
    'two patterns',
    z.string().check(z.regex(/^a_/), z.regex(/_1$/)),
    'a_1',
    'missing! null! wrong-type! empty! huge!',
  ],
  [
    'two lax patterns',
    z.string().check(z.regex(/^x*/), z.regex(/x*$/)),
    'a',
    'missing! null! wrong-type! empty huge',
  ],
  ['a text or a number', z.union([z.string(), z.number()]), 'a', 'missing! null! wrong-type!'],
  [
    'an object that may be null',
    z.nullable(place),
    { lat: 1 },
    {
      '/x': 'missing! null wrong-type! empty! extra!',
      '/x/lat': 'missing! null! wrong-type! huge! out-of-range!',
    },
  ],
  [
    'an object with nothing required',
    z.object({ a: z.optional(z.string()) }),
    {},
    {
      '/x': 'missing! null! wrong-type! empty extra!',
      '/x/a': 'missing null! wrong-type! empty huge',
    },
  ],
  [
    'an object of any fields',
    z.looseObject({}),
    { a: 1 },
    'missing! null! wrong-type! empty extra',
  ],
  ['a record', z.record(z.string(), z.number()), { a: 1 }, 'missing! null! wrong-type! empty'],
  [
    'a list that is not empty',
    z.array(z.string()).check(z.minLength(1), z.maxLength(9)),
    ['a'],
    { '/x': 'missing! null! wrong-type! empty! huge!', '/x/0': 'null! wrong-type! empty huge' },
  ],
  [
    'lists in a list',
    z.array(z.array(z.boolean())),
    [[true]],
    {
      '/x': 'missing! null! wrong-type! empty huge',
      '/x/0': 'null! wrong-type! empty huge',
      '/x/0/0': 'null! wrong-type!',
    },
  ],
  [
    'one of two objects',
    z.discriminatedUnion('t', [z.object({ t: z.literal('p') }), z.object({ t: z.literal('q') })]),
    { t: 'p' },
    'missing! null! wrong-type!',
  ],
  ['anything', z.unknown(), 1, 'missing! null'],
  [
    'a tree',
    tree,
    { name: 'a', children: [{ name: 'b', children: [] }] },
    {
      '/x': 'missing! null! wrong-type! empty! extra!',
      '/x/name': 'missing! null! wrong-type! empty huge',
      '/x/children': 'missing! null! wrong-type! empty huge',
      '/x/children/0': 'null! wrong-type! empty! extra!',
    },
  ],
]

for (const [shape, schema, value, expected] of shapes)
  test(`${shape} can be malformed in every sensible way, and the schema says which ones break it`, () => {
    const result = z.object({ x: schema, 'a/b~c': z.boolean() })
    const operation = declareOperation({
      id: 'shapes.get',
      method: 'GET',
      path: '/shapes',
      title: 'Shape',
      source: 'ours',
      scope: 'apps:read',
      result,
      writes: false,
      handle: () => ({ status: 200 }),
    })
    const sound = { ...(value !== undefined && { x: value }), 'a/b~c': true }
    expect(errorsOf(result, sound)).toEqual([])
    const found: Record<string, string> = {}
    for (const field of replyFieldsOf(operation)) {
      const at = pointerOf(field)
      const all = malformationsOf(field)
      if (at.startsWith('/x'))
        found[at] = all.map(({ kind, breaks }) => kind + (breaks ? '!' : '')).join(' ')
      for (const { kind, breaks } of all)
        expectMalformed(
          sound,
          JSON.parse(toJson(malformAt(sound, field.path, kind as never, field))),
          { at, kind, breaks },
          result,
        )
    }
    expect(found).toEqual(typeof expected === 'string' ? { '/x': expected } : expected)
  })

test('a value in a list takes no extra field, and a huge object has one of 100,000 characters', () => {
  expect(malformAt({ x: [1] }, ['x', '0'], 'extra')).toEqual({ x: [1] })
  const beside = { x: { a: 1, unexpected_field: 'unexpected' } }
  expect(malformAt({ x: { a: 1 } }, ['x', 'a'], 'extra')).toEqual(beside)
  const { x } = malformAt({ x: { a: 1 } }, ['x'], 'huge') as { x: Record<string, unknown> }
  expect(x).toEqual({ a: 1, unexpected_field: expect.stringMatching(/^x{100000}$/) })
})

test('a value without a contract becomes one of another type, or an empty one of its type', () => {
  const become = (value: unknown, kind: 'wrong-type' | 'empty' | 'bad-enum') =>
    (malformAt({ x: value }, ['x'], kind) as { x: unknown }).x
  expect([7, true, [1], { a: 1 }, 'a'].map((value) => become(value, 'wrong-type'))).toEqual([
    '7',
    'true',
    {},
    [],
    42,
  ])
  expect([[1], { a: 1 }, 'a', null].map((value) => become(value, 'empty'))).toEqual([
    [],
    {},
    '',
    '',
  ])
  expect([1, 'a'].map((value) => become(value, 'bad-enum'))).toEqual([1, 'unexpected_value'])
})

test('an int64 field gets a value above its range, never below', () => {
  expect(valueOutOfRange({ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 })).toBe(2 ** 63)
  expect(valueOutOfRange({ type: 'integer', minimum: 0, maximum: 9 })).toBe(-1)
})
