import { createGreenhouse, type DataError } from 'greenhouse-mock'
import { defineCollection } from 'greenhouse-mock/config'
import { serve } from 'greenhouse-mock/server'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { own } from '../scenarios/helpers.ts'
import { open, testApi } from '../support/test-api.ts'

const long = (length: number) => 'x'.repeat(length)
const fillers = (count: number) => Array.from({ length: count }, (_, at) => `zzzz${at}`)

const suggestions: [typed: string, known: string[], meant: string | undefined][] = [
  ['nmae', ['tag', 'name'], 'name'],
  ['nam', ['name', 'names'], 'name'],
  ['abcd', ['abxy', 'abcx', 'abcy'], 'abcx'],
  ['abcdef', ['abcxyf'], 'abcxyf'],
  ['abcdef', ['abxyzf'], undefined],
  ['abcdefghi', ['abcdefxyz'], 'abcdefxyz'],
  ['abcdefghi', ['abcdewxyz'], undefined],
  ['abcdefghi', ['abcdef'], 'abcdef'],
  ['ab', ['cd'], undefined],
  ['ab', ['cb'], 'cb'],
  ['ab', ['abcd'], 'abcd'],
  ['a', ['b'], undefined],
  ['', ['a'], undefined],
  ['card', ['declined-card'], 'declined-card'],
  ['card', ['card_declined-again'], 'card_declined-again'],
  ['card', ['the.card:expired'], 'the.card:expired'],
  ['card', ['discarded-again'], undefined],
  ['card', ['cardboard-again'], undefined],
  ['car', ['expired-car-again'], undefined],
  [long(100), [long(99)], long(99)],
  [long(101), [long(100)], undefined],
  ['zzzz', [...fillers(10), 'zzz'], 'zzzz0'],
  ['nmaes', [...fillers(999), 'names'], 'names'],
  ['nmaes', [...fillers(1_000), 'names'], undefined],
  ['nmaes', [...fillers(2_000).map((name) => name.padEnd(50, 'x')), 'names'], 'names'],
]

/** What is told of a field that no record has, beside those that it may have. */
function tellUnknown(field: string, known: readonly string[]): string {
  const part = z.strictObject(
    Object.fromEntries(known.map((name) => [name, z.optional(z.string())])),
  )
  const tools = defineCollection({ name: 'tools', schema: z.object({ id: z.string(), part }) })
  try {
    createGreenhouse({
      collections: [tools],
      fixtures: { tools: [{ id: 'a', part: { [field]: 'b' } }] },
    } as never)
  } catch (error) {
    return (error as DataError).problems[0]!.message
  }
  return 'nothing'
}

test.each(suggestions)(
  'who types %j is told what was probably meant, if anything',
  (typed, known, meant) => {
    const [, told] = /^there is no such field; expected one of [^ ]+.*\.( Did you .*)?$/.exec(
      tellUnknown(typed, known),
    )!
    expect(told).toBe(meant && ` Did you mean "${meant}"?`)
  },
)

const names = Array.from({ length: 17 }, (_, at) => `name-${at + 10}`)

test('up to 16 names are listed, of more only the nearest five', () => {
  const such = 'there is no such field; expected one of'
  expect(tellUnknown('name-25x', names.slice(1))).toBe(
    `${such} ${names.slice(1).join(', ')}. Did you mean "name-25"?`,
  )
  expect(tellUnknown('name-25x', names)).toBe(
    `${such} name-25, name-15, name-20, name-21, name-22 and 12 more. Did you mean "name-25"?`,
  )
})

test.each([
  ['plants.lst', 'plants.list'],
  ['plant.*', 'plants.*'],
  ['apps.lsit', 'apps.list'],
])('a filter of operations refuses %s, which fits none', async (wrong, meant) => {
  const proxy = {
    plants: 'http://127.0.0.1:9',
    apps: 'http://127.0.0.1:9/v1',
    only: ['plants.create', '*.list', wrong],
  }
  await expect(serve(createGreenhouse({ proxy }))).rejects.toThrow(
    `Found no operation called "${wrong}". Did you mean "${meant}"?`,
  )
})

testApi('a character counts once, however many units it takes', async ({ call }) => {
  const statusOf = async (length: number) =>
    (await call('POST', '/v1/apps', { body: { name: 'A', more: '😀'.repeat(length) } })).status
  expect([await statusOf(16_384), await statusOf(16_385), await statusOf(32_769)]).toEqual([
    201, 400, 400,
  ])
})

test('a long text is shortened before the word that the limit would cut', () => {
  const { world } = open()
  const shown = (name: string) => {
    try {
      world.use({ name: name as never })
    } catch (error) {
      return /^Failed to use the scenario "(.*)": there is no such/s.exec(
        (error as Error).message,
      )![1]
    }
    return 'nothing'
  }
  expect(shown(long(100))).toBe(long(100))
  expect(shown(long(101))).toBe('… (101 characters)')
  expect(shown(`${long(94)} three`)).toBe(`${long(94)} three`)
  expect(shown(`${long(94)} threes`)).toBe(`${long(94)} … (101 characters)`)
  expect(shown(`${long(84)} a.b~c%d+e=f-g_h and more`)).toBe(`${long(84)} … (109 characters)`)
  expect(shown(`${long(98)} 😀😀`)).toBe(`${long(98)} … (103 characters)`)
})

const circle: Record<string, unknown> = {}
circle['circle'] = circle

test.each([
  ['a"', '"a\\""'],
  [5n, '5'],
  [null, 'null'],
  [true, 'true'],
  [() => 1, 'a function'],
  [async () => 1, 'an async function'],
  [[1, 2n], '[1,"2"]', 'a list'],
  [{ a: 2n }, '{"a":"2"}', 'an object'],
  [new Date(0), '"1970-01-01T00:00:00.000Z"', '"1970-01-01T00:00:00.000Z"'],
  [circle, 'an object', 'an object'],
  [[circle], 'a list', 'a list'],
  [Symbol('s'), 'Symbol(s)'],
] as [value: unknown, whole: string, received?: string][])(
  'the value of case %$ is shown as JSON where it can be, and in words where not',
  (value, whole, received = whole) => {
    const { world } = open({
      scenarios: own({
        options: { it: { default: 7 } },
        respond: [{ status: 500, body: { it: '${it}' } }],
      }),
    })
    expect(() => createGreenhouse({ seed: value } as never)).toThrow(`, received ${received}`)
    expect(() => world.use({ name: 'own', it: value } as never)).toThrow(`received ${whole}`)
  },
)

test('a scenario is written so that a header can hold it', () => {
  const options = { on: 'a,b;c%d', title: ' ä ', rest: 'x y', odd: '\ud800' }
  const { world } = open({
    scenarios: own({
      options: Object.fromEntries(
        Object.keys(options).map((name) => [`x-${name}`, { default: '' }]),
      ),
      respond: [{ status: 500, text: '${x-on}${x-title}${x-rest}${x-odd}' }],
    }),
  })
  const given = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [`x-${name}`, value]),
  )
  world.useOnly([{ name: 'own', ...given } as never])
  expect(world.scenario).toBe(
    'own:x-on=a%2Cb%3Bc%25d,x-title=%20%C3%A4%20,x-rest=x y,x-odd=%EF%BF%BD',
  )
})

testApi(
  'a domain is the name of its app, of the letters that a name of a host has',
  async ({ call }) => {
    const { body: app } = await call('POST', '/v1/apps', {
      body: { name: '  Apps are DOWN, 2 of 3! ' },
    })
    const { body } = await call('POST', `/v1/apps/${app.id}/deployments`, { body: {} })
    expect(body.domain).toMatch(/^apps-are-down-2-of-3\b/)
  },
)
