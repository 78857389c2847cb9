import { expect, test } from 'vitest'
import {
  Fraction,
  parseForeignJson,
  parseJson,
  parseJsonOr,
  parseTrustedJson,
  toCanonicalJson,
  toExactNumber,
  toJson,
} from '../../src/core/http/json.ts'

const fraction = (text: string) => new Fraction(text)

/** What is between the bounds of a double, an int64 and a short number, and what is beyond. */
const numbers: [text: string, read: number | bigint | Fraction][] = [
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
  ['9007199254740991.4', fraction('9007199254740991.4')],
  ['9007199254740993e-1', 900719925474099.3],
  ['1.0000000000000000001', fraction('1.0000000000000000001')],
  ['0.1', 0.1],
  ['1.5e2', 150],
]

test.each(numbers)('the number %s is read exactly', (text, number) => {
  expect(parseJson(text)).toEqual(number)
  expect(toExactNumber(text)).toEqual(number)
  expect(parseJson(`{"a":[${text}],"b":"${text} \\" ${text}"}`)).toEqual({
    a: [number],
    b: `${text} " ${text}`,
  })
})

test.each(['1e309', '-1e309', '1e-309', '123456789e-320', '2.2e-308', '0.1e-400'])(
  'the number %s is of no double: a client is told, and that of a service stays as it is',
  (text) => {
    expect(() => parseJson(text)).toThrow(
      'The body holds a number that is too large or too small for a double.',
    )
    expect(toJson({ a: parseForeignJson(text), b: 1n })).toBe(`{"a":${text},"b":1}`)
  },
)

test('an integer has at most 20 characters', () => {
  const [most, more] = ['1'.repeat(20), '1'.repeat(21)]
  expect(parseJson(most)).toBe(BigInt(most))
  for (const text of [more, `-${most}`])
    expect(() => parseJson(text)).toThrow('an integer of more than 20 characters')
  expect(toJson([parseForeignJson(more)])).toBe(`[${more}]`)
  expect(parseJson('2.3e-308')).toBe(2.3e-308)
  expect(parseJson('1e290')).toBe(1e290)
  expect(parseJson('1e291')).toBe(1e291)
})

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const listOf = (values: number) => `[${Array(values - 1).fill(0)}]`.padEnd(101)
const objectOf = (fields: number) =>
  `{${Array.from({ length: fields }, (_, at) => `"a${at}":0`)}}`.padEnd(101)

test('a text has at most 100 levels, 50,000 values and as many fields as a body may have', () => {
  for (const parse of [parseJson, parseForeignJson]) {
    expect(() => parse(nested(100))).not.toThrow()
    expect(() => parse(nested(101))).toThrow('The body is nested deeper than 100 levels.')
    expect(parse(`${'[],'.repeat(99)}[]`.replace(/.*/, '[$&]'))).toHaveLength(100)
    expect(() => parse(listOf(49_999))).not.toThrow()
    expect(() => parse(listOf(50_002))).toThrow('The body holds more than 50000 values.')
  }
  expect(() => parseJson(objectOf(20), 20)).not.toThrow()
  expect(() => parseJson(objectOf(21), 20)).toThrow('The body holds more than 20 fields.')
  expect(parseJson(`["${'[{:,\\"'.repeat(200)}"]`, 0)).toEqual(['[{:,"'.repeat(200)])
  expect(() => parseJson(`["${'['.repeat(200)}`)).toThrow('The body is not valid JSON.')
  expect(() => parseTrustedJson(nested(200))).not.toThrow()
})

test('what is no JSON is refused, or another value takes its place', () => {
  for (const text of ['', '{', '01', '1.', '.5', '1e', '+1', '0123456789012345678', '1.e20'])
    expect([text, parseJsonOr(text, 'other')]).toEqual([text, 'other'])
  expect(parseJsonOr('5', 'other')).toBe(5)
  const odd = parseJson('{"__proto__":12345678901234567890,"a":1,"a":2}') as object
  expect(Object.entries(odd)).toEqual([
    ['__proto__', 12345678901234567890n],
    ['a', 2],
  ])
})

test('a value is written as it was read, and equal values alike', () => {
  const text = '{"b":[1,12345678901234567,null],"a":{"d":9007199254740991.4,"c":true}}'
  expect(toJson(parseTrustedJson(text))).toBe(
    text.replace('9007199254740991.4', '9007199254740991'),
  )
  expect(toCanonicalJson(parseTrustedJson(text))).toBe(
    '{"a":{"c":true,"d":9007199254740991.x},"b":[1,12345678901234567,null]}',
  )
  expect(toJson({ a: [undefined, 1n], b: undefined, c: new Date(0) })).toBe(
    '{"a":[null,1],"c":"1970-01-01T00:00:00.000Z"}',
  )
  expect(toJson(5n)).toBe('5')
  expect(() =>
    toJson({
      toJSON() {
        throw new RangeError('mine')
      },
    }),
  ).toThrow('mine')
})
