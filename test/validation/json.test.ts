import { parseJson } from 'greenhouse-mock'
import { defineOperation } from 'greenhouse-mock/config'
import { expect, test } from 'vitest'
import { inFrontOf } from '../proxy/in-front.ts'
import { open } from '../support/test-api.ts'

/** What is between the bounds of a double, an int64 and a short number, and what is beyond. */
const numbers: [text: string, read: number | bigint][] = [
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['-9007199254740992', -9007199254740992n],
  ['9223372036854775808', 9223372036854775808n],
  ['-9223372036854775808', -9223372036854775808n],
  ['99999999999999999999', 99999999999999999999n],
  ['1e3', 1000],
  ['9007199254740993.0', 9007199254740993n],
  ['-900719925474099.3e1', -9007199254740993n],
  ['900719925474099.1e1', 9007199254740991],
  ['1e18', 1000000000000000000n],
  ['1e19', 1e19],
  ['1000000000000000000e0', 1000000000000000000n],
  ['12e17', 1200000000000000000n],
  ['12e18', 12e18],
  ['0e25', 0],
  ['0.000e400', 0],
  ['9007199254740993e-1', 900719925474099.3],
  ['0.1', 0.1],
  ['1.5e2', 150],
]

test.each(numbers)('the number %s is read exactly', (text, number) => {
  expect(parseJson(text)).toEqual(number)
  expect(parseJson(`{"a":[${text}],"b":"${text} \\" ${text}"}`)).toEqual({
    a: [number],
    b: `${text} " ${text}`,
  })
})

test.each([
  ['9007199254740991.4', '9007199254740991'],
  ['1.0000000000000000001', '1'],
])('the fraction %s is no integer, and is written as %s', (text, written) => {
  const read = parseJson(text)
  expect(read).toBeTypeOf('object')
  expect(JSON.stringify(read)).toBe(written)
})

/** Passes the JSON of a service on, after a scenario changed a field of it. */
async function passOn(value: string): Promise<string> {
  const { send, world } = await inFrontOf((_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(`[{"id":1,"name":"a","odd":${value}}]`),
  )
  world.use({ malform: [{ on: 'plants.list', field: 'name', kind: 'null' }] })
  return (await send('/plants')).text()
}

const changed = (value: string) => `[{"id":1,"name":null,"odd":${value}}]`

test.each(['1e309', '-1e309', '1e-309', '123456789e-320', '2.2e-308', '0.1e-400'])(
  'the number %s is of no double: a client is told, and that of a service stays as it is',
  async (text) => {
    expect(() => parseJson(text)).toThrow(
      'The body holds a number that is too large or too small for a double.',
    )
    expect(await passOn(`${text},"n":12345678901234567890`)).toBe(
      changed(`${text},"n":12345678901234567890`),
    )
  },
)

test('an integer has at most 20 characters', async () => {
  const [most, more] = ['1'.repeat(20), '1'.repeat(21)]
  expect(parseJson(most)).toBe(BigInt(most))
  for (const text of [more, `-${most}`])
    expect(() => parseJson(text)).toThrow('an integer of more than 20 characters')
  expect(await passOn(`[${more}]`)).toBe(changed(`[${more}]`))
  expect(parseJson('2.3e-308')).toBe(2.3e-308)
  expect(parseJson('1e290')).toBe(1e290)
  expect(parseJson('1e291')).toBe(1e291)
})

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const listOf = (values: number) => `[${Array(values - 1).fill(0)}]`.padEnd(101)
const objectOf = (fields: number) =>
  `{${Array.from({ length: fields }, (_, at) => `"a${at}":0`)}}`.padEnd(101)

test('a text has at most 100 levels, 50,000 values and as many fields', () => {
  expect(() => parseJson(nested(100))).not.toThrow()
  expect(() => parseJson(nested(101))).toThrow('The body is nested deeper than 100 levels.')
  expect(parseJson(`${'[],'.repeat(99)}[]`.replace(/.*/, '[$&]'))).toHaveLength(100)
  expect(() => parseJson(listOf(49_999))).not.toThrow()
  expect(() => parseJson(listOf(50_002))).toThrow('The body holds more than 50000 values.')
  expect(parseJson(`["${'[{:,\\"'.repeat(200)}"]`)).toEqual(['[{:,"'.repeat(200)])
  expect(() => parseJson(`["${'['.repeat(200)}`)).toThrow('The body is not valid JSON.')
})

test('the body of a request has at most 10,000 fields', async () => {
  const { call } = open({ bodyLimit: 1_000_000 })
  const told = async (fields: number) =>
    (await call('POST', '/plants', { body: objectOf(fields) })).body.message
  expect(await told(10_001)).toBe('The body holds more than 10000 fields.')
  expect(await told(10_000)).not.toContain('holds more than')
})

test('a reply of a service that is too deep or has too many values stays as it is', async () => {
  // Three levels, and four values, are those of the list and its plant.
  expect(await passOn(nested(98))).toBe(changed(nested(98)))
  for (const value of [nested(99), listOf(50_000)])
    expect(await passOn(value)).toBe(changed(value).replace('null', '"a"'))
})

test('a text that is no JSON is refused', () => {
  for (const text of ['', '{', '01', '1.', '.5', '1e', '+1', '0123456789012345678', '1.e20'])
    expect(() => parseJson(text), text).toThrow('The body is not valid JSON.')
  const odd = parseJson('{"__proto__":12345678901234567890,"a":1,"a":2}') as object
  expect(Object.entries(odd)).toEqual([
    ['__proto__', 12345678901234567890n],
    ['a', 2],
  ])
})

test('a reply of your operation is written as JSON.stringify does, but for bigints', async () => {
  const replies: unknown[] = [
    { a: [undefined, 1n], b: undefined, c: new Date(0) },
    [5n, parseJson('9007199254740991.4')],
    {
      toJSON() {
        throw new RangeError('mine')
      },
    },
  ]
  const { call, world } = open({
    operations: [
      defineOperation({
        id: 'plants.own',
        path: '/plants/own',
        method: 'GET',
        handle: () => replies.shift() as object,
      }),
    ],
  })
  expect((await call('GET', '/plants/own')).text).toBe(
    '{"a":[null,1],"c":"1970-01-01T00:00:00.000Z"}',
  )
  expect((await call('GET', '/plants/own')).text).toBe('[5,9007199254740991]')
  expect((await call('GET', '/plants/own')).status).toBe(500)
  expect(world.journal.calls().at(-1)!.reason).toMatch(/cannot be written as JSON: mine$/)
})
