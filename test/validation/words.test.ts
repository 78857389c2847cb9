import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { iso } from 'zod/v4/mini'
import {
  describeIssue,
  readBySchema,
  toPathText,
  toSentence,
  withoutMessages,
} from '../../src/core/store/validation-message.ts'

const item = z.strictObject({ name: z.string(), size: z.optional(z.int()) })

/** A schema, a value that it refuses, and what the author of a file and a client are told. */
const mistakes: [schema: z.ZodMiniType, value: unknown, author: string, client?: string][] = [
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
    10n ** 30n,
    'expected a smaller number, received 1000000000000000000000000000000',
    'must be a number.',
  ],
  [z.int(), 1.5, 'expected an integer, received 1.5', 'must be an integer.'],
  [z.boolean(), 'x', 'expected true or false, received "x"', 'must be true or false.'],
  [z.null(), 5, 'expected null, received 5', 'must be null.'],
  [z.array(z.int()), {}, 'expected a list, received a mapping', 'must be an array.'],
  [z.object({}), [], 'expected a mapping, received a list', 'must be an object.'],
  [z.record(z.string(), z.int()), 5, 'expected a mapping, received 5', 'must be an object.'],
  [z.date(), 5, 'expected date, received 5', 'must be of another type.'],
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
    'expected at most 1 characters',
    'must have at most 1 characters.',
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
    'expected at most 1 items',
    'must have at most 1 items.',
  ],
  [
    z.number().check(z.gte(3)),
    2,
    'expected at least 3, received 2',
    'must be a number of at least 3.',
  ],
  [z.number().check(z.gt(3)), 3, 'expected more than 3, received 3'],
  [
    z.number().check(z.lte(3)),
    4,
    'expected at most 3, received 4',
    'must be a number of at most 3.',
  ],
  [z.number().check(z.lt(3)), 3, 'expected less than 3, received 3'],
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
  [z.int().check(z.multipleOf(5)), 7, 'is not valid', 'must be an integer, a multiple of 5.'],
]

test.each(mistakes)(
  'of a value that is wrong (%$), all are told what it has to be',
  (schema, value, author, client) => {
    const { issues } = schema.safeParse(value, withoutMessages).error!
    expect(readBySchema(schema, value).findings).toEqual([{ path: [], message: author }])
    const [told] = describeIssue(issues[0]!, schema, value, 'client')
    expect(told!.message).toBe(client ?? told!.message)
    expect(toSentence(issues[0]!, schema, value)).toBe(`it ${told!.message}`)
    const within = z.object({ a: z.array(schema) })
    expect(readBySchema(within, { a: [value] }).findings[0]).toEqual({
      path: ['a', 0],
      message: author,
    })
  },
)

test('who does not write YAML hears of objects, and of no quotes', () => {
  const told = (schema: z.ZodMiniType, value: unknown) =>
    readBySchema(schema, value, 'caller').findings[0]!.message
  expect(told(z.object({}), 5)).toBe('expected an object, received 5')
  expect(told(z.string(), {})).toBe('expected a string, received an object')
  expect(told(z.string(), 5)).toBe('expected a string, received 5')
  expect(told(z.number(), '5')).toBe('expected a number, received "5"')
})

test('what is missing is missing, for everybody', () => {
  for (const schema of [z.string(), z.enum(['a', 'b']), z.string().check(z.minLength(2))]) {
    const whole = z.object({ a: schema })
    const [finding] = readBySchema(whole, {}).findings
    expect(finding).toEqual({
      path: ['a'],
      message: expect.stringMatching(/^is missing: expected (a string|one of "a", "b")$/),
    })
    const { issues } = whole.safeParse({}, withoutMessages).error!
    expect(toSentence(issues[0]!, whole, {})).toBe('a is required.')
  }
})

test('an unknown field is called what its reader calls it, with what was probably meant', () => {
  const schema = z.object({ list: z.array(item), own: z.record(z.string(), item) })
  const sent = { list: [{ name: 'a', szie: 1 }], own: { x: { name: 'b', q: 1 } } }
  const told = (audience: 'author' | 'case' | 'caller' | 'config' | 'code' | 'client') =>
    readBySchema(schema, sent, audience).findings.map(({ message }) => message)
  expect(told('author')).toEqual([
    'there is no such field; expected one of name, size. Did you mean "size"?',
    'there is no such field; expected one of name, size.',
  ])
  expect(told('case')[0]).toBe('there is no such field. Did you mean "size"?')
  expect(told('config')[0]).toMatch(/^there is no such setting; expected one of /)
  expect(told('code')[0]).toMatch(/^there is no such option; expected one of /)
  expect(told('client')).toEqual([
    'there is no field "list[0].szie". Did you mean "size"?',
    'there is no field "own.x.q".',
  ])
  const many = { name: 'a', q: 1, r: 1, s: 1, t: 1 }
  const { issues } = item.safeParse(many, withoutMessages).error!
  expect(toSentence(issues[0]!, item, many)).toBe(
    'there is no field "q". there is no field "r". there is no field "s".',
  )
  const none = z.strictObject({})
  expect(readBySchema(none, { a: 1 }).findings[0]!.message).toBe('there is no such field')
})

const shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('circle'), radius: z.int() }),
  z.strictObject({ kind: z.literal('square'), side: z.optional(z.int()) }),
])

test('of several kinds, the one that is named decides what is wrong', () => {
  const told = (value: unknown, audience?: 'client') =>
    readBySchema(shape, value, audience).findings[0]!.message
  expect(told({ kind: 'circel' })).toBe(
    'there is no kind "circel"; expected one of circle, square. Did you mean "circle"?',
  )
  expect(told({})).toBe('is missing: expected one of "circle", "square"')
  expect(told({ kind: 'circle', radius: 'x' })).toBe('expected a number, received "x"')
  expect(told({ kind: 'square', sidee: 5 })).toBe(
    'there is no such field; expected one of kind, side. Did you mean "side"?',
  )
  expect(told({ kind: 'square', side: 'x' }, 'client')).toBe('must be an integer.')
})

test('a place is written as a path in code', () => {
  expect([[], ['a'], ['a', 0, 'b'], [0, 1], ['a', '0'], [0, 'a']].map(toPathText)).toEqual([
    '',
    'a',
    'a[0].b',
    '[0][1]',
    'a.0',
    '[0].a',
  ])
  expect(readBySchema(z.object({ a: z.int() }), { a: 5 })).toEqual({ data: { a: 5 }, findings: [] })
})
