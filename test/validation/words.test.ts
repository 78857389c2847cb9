import { createGreenhouse, DataError } from 'greenhouse-mock'
import { defineCollection, defineOperation } from 'greenhouse-mock/config'
import { serve } from 'greenhouse-mock/server'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { iso } from 'zod/v4/mini'
import { open } from '../support/test-api.ts'

/** What the author of a fixture is told of a record of their own, each with its place. */
function tellAuthor(
  shape: Record<string, z.ZodMiniType>,
  record: object,
): [place: string, message: string][] {
  const schema = z.object({ id: z.string(), ...shape })
  const tools = defineCollection({ name: 'tools', schema })
  try {
    createGreenhouse({
      collections: [tools],
      fixtures: { tools: [{ id: 'x', ...record }] },
    } as never)
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return error.problems.map(({ path, message }) => [path.slice(2).join('.'), message])
  }
  return []
}

/** What a client is told of a body that it sent to an operation of the user. */
async function tellClient(shape: Record<string, z.ZodMiniType>, sent: object): Promise<string> {
  const { call } = open({
    operations: [
      defineOperation({
        id: 'plants.own',
        method: 'POST',
        path: '/plants/own',
        body: z.object(shape),
        handle: () => ({}),
      }),
    ],
  })
  const text = JSON.stringify(sent, (_, value) =>
    typeof value === 'bigint' ? `BIG${value}` : value,
  ).replace(/"BIG(\d+)"/g, '$1')
  return (await call('POST', '/plants/own', { body: text })).body.message
}

/** A schema, a value that it refuses, and what the author of a file and a client are told. */
const mistakes: [schema: z.ZodMiniType, value: unknown, author: string, client: string][] = [
  [z.string(), 5, "expected a string, received 5. Put it in quotes: '5'.", 'must be a string.'],
  [
    z.string(),
    true,
    "expected a string, received true. Put it in quotes: 'true'.",
    'must be a string.',
  ],
  [z.string(), null, 'expected a string, received null', 'must be a string.'],
  [z.string(), [], 'expected a string, received a list', 'must be a string.'],
  [z.string(), {}, 'expected a string, received a mapping', 'must be a string.'],
  [
    z.number(),
    '5',
    'expected a number, received "5". Write it without quotes.',
    'must be a number.',
  ],
  [z.number(), ' ', 'expected a number, received " "', 'must be a number.'],
  [z.number(), 'x', 'expected a number, received "x"', 'must be a number.'],
  [
    z.number(),
    10n ** 19n,
    'expected a smaller number, received 10000000000000000000',
    'must be a number.',
  ],
  [z.int(), 1.5, 'expected an integer, received 1.5', 'must be an integer.'],
  [z.boolean(), 'x', 'expected true or false, received "x"', 'must be true or false.'],
  [z.null(), 5, 'expected null, received 5', 'must be null.'],
  [z.array(z.int()), {}, 'expected a list, received a mapping', 'must be an array.'],
  [z.object({}), [], 'expected a mapping, received a list', 'must be an object.'],
  [z.record(z.string(), z.int()), 5, 'expected a mapping, received 5', 'must be an object.'],
  [z.string().check(z.minLength(1)), '', 'is empty', 'must not be empty.'],
  [
    z.string().check(z.minLength(3)),
    'ab',
    'expected at least 3 characters',
    'must have at least 3 characters.',
  ],
  [
    z.string().check(z.maxLength(1)),
    'ab',
    'expected at most 1 character',
    'must have at most 1 character.',
  ],
  [
    z.array(z.int()).check(z.minLength(2)),
    [1],
    'expected at least 2 items',
    'must have at least 2 items.',
  ],
  [
    z.array(z.int()).check(z.maxLength(1)),
    [1, 2],
    'expected at most 1 item',
    'must have at most 1 item.',
  ],
  [
    z.number().check(z.gte(3)),
    2,
    'expected at least 3, received 2',
    'must be a number of at least 3.',
  ],
  [
    z.number().check(z.gt(3)),
    3,
    'expected more than 3, received 3',
    'must be a number of more than 3.',
  ],
  [
    z.number().check(z.lte(3)),
    4,
    'expected at most 3, received 4',
    'must be a number of at most 3.',
  ],
  [
    z.number().check(z.lt(3)),
    3,
    'expected less than 3, received 3',
    'must be a number of less than 3.',
  ],
  [z.email(), 'x', 'expected an email address, received "x"', 'must be an email address.'],
  [z.url(), 'x', 'expected a URL, received "x"', 'must be a URL.'],
  [
    z.uuid(),
    'x',
    'expected a different format, received "x"',
    'must be a string in the format "uuid".',
  ],
  [
    iso.date(),
    'x',
    'expected a date, such as 2026-01-31, received "x"',
    'must be a date, such as 2026-01-31.',
  ],
  [
    iso.datetime(),
    'x',
    'expected a time in UTC, such as 2026-01-31T12:00:00Z, received "x"',
    'must be a time in UTC, such as 2026-01-31T12:00:00Z.',
  ],
  [
    z.string().check(z.regex(/^a/)),
    'x',
    'expected a different format, received "x"',
    'must match /^a/.',
  ],
  [
    z.enum(['free', 'pro']),
    'fre',
    'expected one of "free", "pro". Did you mean "free"?',
    'must be one of "free", "pro". Did you mean "free"?',
  ],
  [z.literal('a'), 'xyz', 'expected "a"', 'must be "a".'],
  [
    z.literal(['5', 'a']),
    5,
    `expected one of "5", "a". Put it in quotes: '5'.`,
    'must be one of "5", "a".',
  ],
  [z.literal([1, 2]), 3, 'expected one of 1, 2', 'must be one of 1, 2.'],
  [
    z.union([z.string(), z.null()]),
    5,
    'expected a string or null, received 5',
    'must be a string or null.',
  ],
  [
    z.union([z.int(), z.boolean()], 'expected a size'),
    'x',
    'expected a size, received "x"',
    'must be a size.',
  ],
  [z.nullable(z.int()), 'x', 'expected a number, received "x"', 'must be an integer or null.'],
  [z.optional(z.int()), 'x', 'expected a number, received "x"', 'must be an integer.'],
  [z.string().check(z.refine(() => false, 'is odd')), 'x', 'is odd', 'is odd.'],
  [
    z.string().check(z.refine(() => false, 'expected a size')),
    'x',
    'expected a size',
    'must be a size.',
  ],
  [z.string().check(z.refine(() => false)), 'x', 'is not valid', 'must be a string.'],
  [z.array(z.int()).check(z.minLength(1)), [], 'expected at least 1 item', 'must not be empty.'],
  [
    z.union([z.object({ b: z.int() }), z.object({ c: z.int() }), z.null()]),
    5,
    'expected a mapping or null, received 5',
    'must be an object or null.',
  ],
  [
    z.number().check(z.gte(3), z.gte(5), z.gt(5), z.lte(9), z.lte(7)),
    5,
    'expected more than 5, received 5',
    'must be a number of more than 5 and at most 7.',
  ],
  [z.int().check(z.multipleOf(5)), 7, 'is not valid', 'must be an integer, a multiple of 5.'],
]

test.each(mistakes)(
  'of a value that is wrong (%$), all are told what it has to be',
  async (schema, value, author, client) => {
    expect(tellAuthor({ a: schema }, { a: value })).toEqual([['a', author]])
    const list = z.array(z.object({ a: schema }))
    expect(tellAuthor({ list }, { list: [{ a: value }] })).toEqual([['list.0.a', author]])
    expect(await tellClient({ a: schema }, { a: value })).toBe(`a ${client}`)
  },
)
test.each([
  [z.object({}), 5, 'expected an object, received 5'],
  [z.string(), {}, 'expected a string, received an object'],
  [z.string(), 5, 'expected a string, received 5'],
  [z.number(), '5', 'expected a number, received "5"'],
])('who does not write YAML hears of objects, and of no quotes (%$)', async (a, value, told) => {
  const tools = defineCollection({ name: 'tools', schema: z.object({ id: z.string(), a }) })
  await using server = await serve(createGreenhouse({ collections: [tools] }))
  const reply = await fetch(`${server.url}/__greenhouse/worlds/default/records/tools`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'x', a: value }),
  })
  expect(await reply.json()).toMatchObject({ error: { message: `/a: ${told}` } })
})

test('authors and clients read the same of a missing field', async () => {
  for (const schema of [z.string(), z.enum(['a', 'b']), z.string().check(z.minLength(2))]) {
    expect(tellAuthor({ a: schema }, {})).toEqual([
      ['a', expect.stringMatching(/^is missing: expected (a string|one of "a", "b")$/)],
    ])
    expect(await tellClient({ a: schema }, {})).toBe('a is required.')
  }
})

const item = z.strictObject({ name: z.string(), size: z.optional(z.int()) })

test('an unknown field is called what its reader calls it, with what was probably meant', async () => {
  const shape = { list: z.array(item), own: z.record(z.string(), item) }
  const sent = { list: [{ name: 'a', szie: 1 }], own: { x: { name: 'b', q: 1 } } }
  expect(tellAuthor(shape, sent)).toEqual([
    ['list.0.szie', 'there is no such field; expected one of name, size. Did you mean "size"?'],
    ['own.x.q', 'there is no such field; expected one of name, size.'],
  ])
  expect(await tellClient(shape, sent)).toBe(
    'there is no field "list[0].szie". Did you mean "size"? there is no field "own.x.q".',
  )
  const many = { a: { name: 'a', q: 1, r: 1, s: 1, t: 1 } }
  expect(await tellClient({ a: item }, many)).toBe(
    'there is no field "a.q". there is no field "a.r". there is no field "a.s".',
  )
  expect(tellAuthor({ a: z.strictObject({}) }, { a: { b: 1 } })).toEqual([
    ['a.b', 'there is no such field'],
  ])
})

const shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('circle'), radius: z.int() }),
  z.strictObject({ kind: z.literal('square'), side: z.optional(z.int()) }),
])

test.each([
  [
    { kind: 'circel' },
    'a.kind',
    'there is no kind "circel"; expected one of circle, square. Did you mean "circle"?',
  ],
  [{}, 'a.kind', 'is missing: expected one of "circle", "square"'],
  [{ kind: 'circle', radius: 'x' }, 'a.radius', 'expected a number, received "x"'],
  [
    { kind: 'square', sidee: 5 },
    'a.sidee',
    'there is no such field; expected one of kind, side. Did you mean "side"?',
  ],
])('of several kinds, the one that is named decides what is wrong with %j', (a, place, told) => {
  expect(tellAuthor({ a: shape }, { a })).toEqual([[place, told]])
})

test('a place is written as a path in code', async () => {
  const told = (a: z.ZodMiniType, value: unknown) => tellClient({ a }, { a: value })
  expect(await told(shape, { kind: 'square', side: 'x' })).toBe('a.side must be an integer.')
  expect(await told(z.array(z.array(z.int())), [[1, 'x']])).toBe('a[0][1] must be an integer.')
  expect(await told(z.record(z.string(), z.int()), { 0: 'x' })).toBe('a.0 must be an integer.')
  expect(await told(z.array(z.object({ b: z.int() })), [{ b: 'x' }])).toBe(
    'a[0].b must be an integer.',
  )
})
