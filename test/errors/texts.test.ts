import { expect, test } from 'vitest'
import {
  briefMessage,
  countOf,
  countTimes,
  describeClause,
  describeMore,
  describeProblem,
  isSlip,
  joinNames,
  knownFilter,
  nameSome,
  quote,
  quoteForShell,
  shorten,
  showReceived,
  showValue,
  suggest,
  toList,
  toLiteral,
  toScenarioText,
  toSlug,
  toVisible,
  toVisibleJson,
  toVisibleLines,
} from '../../src/core/text/messages.ts'
import {
  binarySearch,
  decodeIfValid,
  decodeWherePossible,
  globFilter,
  isLonger,
  isSame,
  isShorter,
  itemsOf,
  mapStrings,
  namesInPath,
  valueAt,
} from '../../src/core/text/values.ts'

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
  ['nmaes', [...Array<string>(2_000).fill(long(50)), 'names'], 'names'],
]

test.each(suggestions)(
  'who types %j is told what was probably meant, if anything',
  (typed, known, meant) => {
    const sentence = meant === undefined ? '' : ` Did you mean "${meant}"?`
    expect(suggest(typed, known)).toBe(sentence)
    expect(describeProblem('there is no such thing', typed, known)).toBe(
      `there is no such thing.${sentence}`,
    )
  },
)

const names = Array.from({ length: 17 }, (_, at) => `name-${at + 10}`)

test('up to 16 names are listed, of more only the nearest five', () => {
  const told = (known: string[]) => describeProblem('no such name', 'name-25x', known, true)
  expect(told(names.slice(1))).toBe(
    `no such name; expected one of ${names.slice(1).join(', ')}. Did you mean "name-25"?`,
  )
  expect(told(names)).toBe(
    'no such name; expected one of name-25, name-15, name-20, name-21, name-22 and 12 more. Did you mean "name-25"?',
  )
  expect(describeClause('no such name', 'name-99', ['slow'])).toBe('no such name')
  expect(describeClause('no such name', 'slwo', ['slow'])).toBe(
    'no such name. Did you mean "slow"?',
  )
  expect([nameSome(['a', 'b'], 2), nameSome(['a', 'b', 'c'], 2)]).toEqual([
    'a, b',
    'a, b and 1 more',
  ])
})

test('a filter takes names and the beginnings of names, and refuses what fits none', () => {
  const known = ['plants.list', 'plants.get', 'apps.webhooks.list']
  const fitting = (patterns: string | string[]) =>
    known.filter(knownFilter('operation', patterns, known))
  expect(fitting('plants.*')).toEqual(known.slice(0, 2))
  expect(fitting(['*.list', 'plants.get'])).toEqual(known)
  for (const [wrong, meant] of [
    ['plants.lst', 'plants.list'],
    ['plant.*', 'plants.*'],
    ['apps.webhook.*', 'apps.webhooks.*'],
  ] as const)
    expect(() => fitting(['plants.get', wrong])).toThrow(
      `Found no operation called "${wrong}". Did you mean "${meant}"?`,
    )
})

test('a star in a pattern is any text, and between two parts they stand in this order', () => {
  const fits = (pattern: string | string[] | undefined, ...texts: string[]) =>
    texts.filter(globFilter(pattern))
  const all = ['', 'a', 'ab', 'aab', 'abb', 'abab', 'ba']
  expect(fits(undefined, ...all)).toEqual(all)
  expect(fits('*', ...all)).toEqual(all)
  expect(fits('', ...all)).toEqual([''])
  expect(fits('ab', ...all)).toEqual(['ab'])
  expect(fits('a*b', ...all)).toEqual(['ab', 'aab', 'abb', 'abab'])
  expect(fits('ab*ab', ...all, 'aba')).toEqual(['abab'])
  expect(fits('a**a*b', ...all)).toEqual(['aab', 'abab'])
  expect(fits('*b*a*', ...all)).toEqual(['abab', 'ba'])
  expect(fits('*ab*b', 'ab', 'abb', 'xabxb', 'xaxb')).toEqual(['abb', 'xabxb'])
  expect(fits(['ba', 'a'], ...all)).toEqual(['a', 'ba'])
})

test('a character counts once, however many units it takes', () => {
  const faces = '😀'.repeat(5)
  expect([3, 4, 5, 9, 10].map((max) => isLonger(faces, max))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect([5, 6, 10, 11].map((min) => isShorter(faces, min))).toEqual([false, true, true, true])
  expect([
    isLonger('abc', 3),
    isLonger('abc', 2),
    isShorter('abc', 3),
    isShorter('abc', 4),
  ]).toEqual([false, true, false, true])
})

test('plain values are the same whatever the order of their fields', () => {
  const same: [unknown, unknown][] = [
    [5, 5],
    [null, null],
    [
      { a: 1, b: [{ c: 2 }] },
      { b: [{ c: 2 }], a: 1 },
    ],
    [{ a: undefined }, {}],
    [new Date(0), new Date(0)],
  ]
  for (const [one, other] of same) expect(isSame(one, other)).toBe(true)
  const different: [unknown, unknown][] = [
    [5, '5'],
    [null, {}],
    [{}, null],
    [undefined, {}],
    [{}, undefined],
    [[], {}],
    [{}, []],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [new Date(0), new Date(1)],
    [new Date(0), {}],
    [{}, new Date(0)],
  ]
  for (const [one, other] of different) expect(isSame(one, other)).toBe(false)
})

test('a part of a value is found by its path, but nothing that it inherits', () => {
  const value = { a: [{ b: 5 }], n: null, t: 'text' }
  expect(valueAt(value, [])).toBe(value)
  expect(valueAt(value, ['a', 0, 'b'])).toBe(5)
  for (const path of [
    ['a', 1],
    ['n', 'x'],
    ['t', 'length'],
    ['toString'],
    ['a', 0, 'b', 'c'],
    ['x', 'y'],
  ])
    expect([path, valueAt(value, path)]).toEqual([path, undefined])
  expect([itemsOf([1]), itemsOf({ data: [2] }), itemsOf({ data: 3 }), itemsOf(null)]).toEqual([
    [1],
    [2],
    undefined,
    undefined,
  ])
  expect(namesInPath('/a/{one}/b/{two_2}/{no-name}')).toEqual(['one', 'two_2'])
  expect(binarySearch([1, 3, 5], (item) => item < 3)).toBe(1)
  expect([0, 6].map((end) => binarySearch([1, 3, 5], (item) => item < end))).toEqual([0, 3])
  expect(
    mapStrings({ a: ['x', 1, null], b: new Date(0), c: { d: 'y' } }, (text, name) => name + text),
  ).toEqual({ a: ['ax', 1, null], b: new Date(0), c: { d: 'dy' } })
  expect(mapStrings('x', (text, name) => `${name}${text}`)).toBe('x')
  expect(mapStrings(new Uint8Array(2), () => '')).toEqual(new Uint8Array(2))
  expect([decodeIfValid('a%20b'), decodeIfValid('%'), decodeWherePossible('%')]).toEqual([
    'a b',
    undefined,
    '%',
  ])
})

test('a slip is one wrong letter, or two that changed places', () => {
  const slips = ['nam', 'nane', 'namee', 'nmae', 'emna', 'nxxe', 'name', 'mane']
  expect(slips.filter((typed) => isSlip(typed, 'name'))).toEqual([
    'nam',
    'nane',
    'namee',
    'nmae',
    'mane',
  ])
})

test('a long text is shortened before the word that the limit would cut', () => {
  expect(shorten('one two', 7)).toBe('one two')
  expect(shorten('one two three', 9)).toBe('one two … (13 characters)')
  expect(shorten('one two three', 8)).toBe('one two … (13 characters)')
  expect(shorten('a.b~c%d+e=f-g_h and', 12)).toBe('… (19 characters)')
  expect(shorten('ä 😀😀', 3)).toBe('ä … (6 characters)')
  expect(shorten('😀 and more', 3)).toBe('😀 … (11 characters)')
  expect(briefMessage(long(1_000))).toHaveLength(1_000)
  expect(briefMessage(long(1_001))).toBe('… (1001 characters)')
  expect([quote(long(100)), quote(long(101))]).toEqual([`"${long(100)}"`, '"… (101 characters)"'])
})

test('values are shown as JSON where they can be, and in words where not', () => {
  const circle: Record<string, unknown> = {}
  circle['circle'] = circle
  const shown: [value: unknown, whole: string, received?: string][] = [
    ['a"', '"a\\""'],
    [5n, '5'],
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [() => 1, 'a function'],
    [async () => 1, 'an async function'],
    [[1, 2n], '[1,"2"]', 'a list'],
    [{ a: 2n }, '{"a":"2"}', 'an object'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"', '"1970-01-01T00:00:00.000Z"'],
    [{ toJSON: () => undefined }, 'an object', 'an object'],
    [circle, 'an object', 'an object'],
    [[circle], 'a list', 'a list'],
    [Symbol('s'), 'Symbol(s)'],
  ]
  for (const [value, whole, received = whole] of shown)
    expect([showValue(value), showReceived(value)]).toEqual([whole, received])
  expect(showReceived({}, 'a mapping')).toBe('a mapping')
  expect([toList(['a']), toList(['a', 5])]).toEqual(['"a"', 'one of "a", 5'])
})

test('nothing in a text moves the cursor of a terminal or gives a CI a command', () => {
  expect(toVisible('a\tb\nc\x1b[0m\x7f\x9f\u202e\ufeff')).toBe(
    'a\\x09b\\nc\\x1b[0m\\x7f\\x9f\\u202e\\ufeff',
  )
  expect(toVisible('##[error] ##vso[x] ##teamcity[x] ## ok')).toBe(
    '#\\x23[error] #\\x23vso[x] #\\x23teamcity[x] ## ok',
  )
  expect(toVisibleLines('a\tb\n ::error::x\r::x::\nb ::c\u2028::d')).toBe(
    'a\tb\n :\\x3aerror::x\\x0d:\\x3ax::\nb ::c\\u2028:\\x3ad',
  )
  expect(toVisibleJson('"\x7f##[x]"')).toBe('"\\u007f#\\u0023[x]"')
})

test('words and names are joined as people write them', () => {
  expect([0, 1, 2].map((count) => countOf(count, 'plant'))).toEqual([
    '0 plants',
    '1 plant',
    '2 plants',
  ])
  expect([1, 2].map(countTimes)).toEqual(['once', '2 times'])
  expect([describeMore(5, 5), describeMore(5, 3)]).toEqual([[], ['… and 2 more']])
  expect([joinNames([], 'or'), joinNames(['a'], 'or'), joinNames(['a', 'b'], 'or')]).toEqual([
    '',
    'a',
    'a or b',
  ])
  expect(joinNames(['a', 'b', 'c'], 'and')).toBe('a, b and c')
  expect(toSlug('  Apps are DOWN, 2 of 3! ')).toBe('apps-are-down-2-of-3')
  expect(quoteForShell("it's")).toBe("'it'\\''s'")
})

test('a scenario is written so that a header can hold it', () => {
  expect(toScenarioText({ name: 'slow' })).toBe('slow')
  const options = { ms: 5, on: 'a,b;c%d', title: ' ä ', rest: 'x y', odd: '\ud800' }
  expect(toScenarioText({ name: 'slow', ...options })).toBe(
    'slow:ms=5,on=a%2Cb%3Bc%25d,title=%20%C3%A4%20,rest=x y,odd=%EF%BF%BD',
  )
})

test('a value is written as code that nothing in it can end', () => {
  expect(toLiteral({ a: 1, 'b-c': [2n, null, false], d: undefined, e: {}, f: [] })).toBe(
    "{ a: 1, 'b-c': [2n, null, false], e: {}, f: [] }",
  )
  expect(toLiteral(JSON.parse('{ "__proto__": 1, "name": 2, "a$1": 3, "1a": 4 }'))).toBe(
    "{ ['__proto__']: 1, name: 2, a$1: 3, '1a': 4 }",
  )
  expect(toLiteral('it\'s */ </script "x" \u2028 \\ a*b <c')).toBe(
    "'it\\'s *\\/ <\\/script \"x\" \\u2028 \\\\ a*b <c'",
  )
  expect(toLiteral([long(96)])).toBe(`['${long(96)}']`)
  expect(toLiteral([long(97)])).toBe(`[\n  '${long(97)}',\n]`)
  expect(toLiteral({ a: [long(90)], b: 1 })).toBe(`{\n  a: ['${long(90)}'],\n  b: 1,\n}`)
  expect(toLiteral({ a: { b: [long(97)] } })).toBe(
    `{\n  a: {\n    b: [\n      '${long(97)}',\n    ],\n  },\n}`,
  )
  expect(toLiteral(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
})
