import { expect, test } from 'vitest'
import {
  chooseOptions,
  optionsAt,
  rejectFinding,
} from '../../src/scenarios/language/choose-options.ts'
import {
  choicesOf,
  conditionOptions,
  defaultsOf,
  describeOption,
  escapeOptions,
  fillIn,
  findPlaceholders,
  isPathWithin,
  type OptionDeclaration,
  takesPlans,
  withOwnPlans,
} from '../../src/scenarios/language/options.ts'
import {
  adviseName,
  type ScenarioSummary,
  searchScenarios,
  suggestSearch,
} from '../../src/scenarios/language/scenario-summary.ts'

const described: [declaration: OptionDeclaration, expected: string][] = [
  [{ default: 5 }, 'a number'],
  [{ default: 5, type: 'integer' }, 'a whole number'],
  [{ default: 5, type: 'integer', unit: 'bytes', min: 1 }, 'a whole number of bytes, 1 or more'],
  [{ default: 5, max: 9 }, 'a number, 9 or less'],
  [{ default: 5, min: 0, max: 9 }, 'a number from 0 to 9'],
  [{ default: true }, 'true or false'],
  [{ default: 'a' }, 'a string'],
  [{ default: '1s', type: 'duration' }, 'a duration, such as "90s", "5m" or "1h"'],
  [{ default: 'a', values: ['a', 'b'] }, 'one of "a", "b"'],
]

test.each(described)('of the option %j, a message says: %s', (declaration, expected) => {
  expect(describeOption(declaration)).toBe(expected)
})

const choose = (declaration: OptionDeclaration, given: unknown) =>
  chooseOptions('own', { declared: { it: declaration }, conditions: {} }, [], { it: given }).values[
    'it'
  ]

const accepted: [declaration: OptionDeclaration, given: unknown, value: unknown][] = [
  [{ default: 5 }, '7.5', 7.5],
  [{ default: 5 }, ' 7 ', 7],
  [{ default: 5 }, undefined, 5],
  [{ default: 5, type: 'integer', min: 1, max: 9 }, 1, 1],
  [{ default: 5, type: 'integer', min: 1, max: 9 }, '9', 9],
  [{ default: 5, type: 'integer' }, '9007199254740991', 9007199254740991],
  [{ default: 5 }, '1e3', 1000],
  [{ default: 5 }, '0x10', 16],
  [{ default: true }, 'false', false],
  [{ default: false }, 'true', true],
  [{ default: false }, true, true],
  [{ default: '1s', type: 'duration' }, '5m', '5m'],
  [{ default: 'a' }, '5', '5'],
  [{ default: 'a', values: ['a', 5] }, 'a', 'a'],
]

test.each(accepted)('the option %j takes %j as %j', (declaration, given, value) => {
  expect(choose(declaration, given)).toBe(value)
})

const rejected: [declaration: OptionDeclaration, given: unknown, message: string][] = [
  [{ default: 5 }, '', 'a number, received "".'],
  [{ default: 5 }, ' ', 'a number, received " ".'],
  [{ default: 5 }, 'Infinity', 'a number, received "Infinity".'],
  [{ default: 5, min: 1 }, 0.9, 'a number, 1 or more, received 0.9.'],
  [{ default: 5, max: 9 }, 9.1, 'a number, 9 or less, received 9.1.'],
  [{ default: 5, type: 'integer' }, 1.5, 'a whole number, received 1.5.'],
  [
    { default: 5, type: 'integer' },
    '9007199254740993',
    'a whole number, received "9007199254740993".',
  ],
  [
    { default: 5, type: 'integer' },
    '5.00000000000000000001',
    'a whole number, received "5.00000000000000000001".',
  ],
  [{ default: true }, 'yes', 'true or false, received "yes".'],
  [{ default: true }, 1, 'true or false, received 1.'],
  [{ default: 'a' }, 5, 'a string, received 5.'],
  [
    { default: '1s', type: 'duration' },
    '5',
    'a duration, such as "90s", "5m" or "1h", received "5".',
  ],
  [
    { default: 'slow', values: ['slow', 'fast'] },
    'fsat',
    'one of "slow", "fast", received "fsat". Did you mean "fast"?',
  ],
]

test.each(rejected)('the option %j does not take %j', (declaration, given, message) => {
  expect(() => choose(declaration, given)).toThrow(`Failed to use "own": it: expected ${message}`)
})

const declared = { ms: { default: 5 }, plan: { default: 'x' } }
const conditions = { on: conditionOptions.on, times: conditionOptions.times }

test('what is chosen is an option of the file, or narrows the scenario', () => {
  const chosen = (given: object) =>
    chooseOptions('own', { declared, conditions }, findPlaceholders({}), given as never)
  expect(chosen({ times: 2, ms: 7, operation: 'apps.*' })).toEqual({
    values: { ms: 7, plan: 'x' },
    narrowing: { on: 'apps.*', times: 2 },
  })
  expect(Object.keys(chosen({ times: 2, on: 'apps.*' }).narrowing)).toEqual(['on', 'times'])
  expect(chosen({ times: 0, on: '*', plan: 'y' })).toEqual({
    values: { ms: 5, plan: 'y' },
    narrowing: {},
  })
  for (const [given, message] of [
    [
      { mss: 1 },
      'mss: there is no such option; expected one of ms, plan, on, times. Did you mean "ms"?',
    ],
    [{ toString: 1 }, 'toString: there is no such option'],
    [{ times: -1 }, 'times: expected a whole number, 0 or more, received -1.'],
    [{ where: 5 }, 'where: expected an object with account, key or plan, received 5'],
    [{ where: ['a'] }, 'where: expected an object with account, key or plan, received ["a"]'],
    [
      { where: { palns: 'x' } },
      'where: there is no such field "palns"; expected one of account, key, plan.',
    ],
    [{ where: { plan: 'x' } }, 'where: the scenario has an option "plan" with another meaning'],
  ] as const)
    expect(() => chosen(given)).toThrow(`Failed to use "own": ${message}`)
})

test('a field of where is an option that the file puts there', () => {
  const at = (plan: string) =>
    findPlaceholders({ fault: [{ where: { plan } }], title: '${ms}', plan: '${plan}' })
  const chosen = (plan: string, where: object) =>
    chooseOptions('own', { declared, conditions }, at(plan), { where }).values
  expect(chosen('${plan}', { plan: 'y' })).toEqual({ ms: 5, plan: 'y' })
  expect(chosen('${plan}', { plan: undefined })).toEqual({ ms: 5, plan: 'x' })
  expect(() => chosen('${ms}', { plan: 'y' })).toThrow('with another meaning')
  const own = { where: { default: 'a' } }
  expect(chooseOptions('own', { declared: own, conditions }, [], { where: 'b' }).values).toEqual({
    where: 'b',
  })
})

test('the values that an option can have, but for its default, are its choices', () => {
  expect(choicesOf({ default: true })).toEqual([{ path: [], value: false }])
  expect(choicesOf({ default: 5, min: 1, max: 5 })).toEqual([{ path: ['min'], value: 1 }])
  expect(choicesOf({ default: 5 })).toEqual([])
  expect(choicesOf({ default: true, values: [true, false] })).toEqual([
    { path: ['values', 1], value: false },
  ])
})

test('an option whose values are plans takes plans of your own, too', () => {
  const ofPlans = { plan: { default: 'any', values: ['any', 'free', 'lite'] } }
  const others = { size: { default: 'free', values: ['free', 'huge'] }, ms: { default: 5 } }
  expect(
    withOwnPlans({ ...ofPlans, ...others }, ['free', 'lite', 'pro', 'pro_plus', 'team']),
  ).toEqual({
    plan: { default: 'any', values: ['any', 'free', 'lite', 'team'] },
    ...others,
  })
  expect([
    takesPlans({ values: ['any'] }),
    takesPlans({}),
    takesPlans({ values: ['free'] }),
  ]).toEqual([false, false, true])
})

test('options are filled into texts, and what only looks like one stays', () => {
  const options = { ms: 5, 'to-x': 'y', list: [1] }
  const text = 'a ${ms}${to-x} $${ms} ${none} ${MS} ${ms ${toString}'
  expect(fillIn({ a: ['${ms}', '${list}', 5], b: text, c: '${to-x}' }, options)).toEqual({
    a: [5, [1], 5],
    b: 'a 5y ${ms} ${none} ${MS} ${ms ${toString}',
    c: 'y',
  })
  expect(fillIn(escapeOptions({ a: text }), options)).toEqual({ a: text })
  expect(defaultsOf(declared)).toEqual({ ms: 5, plan: 'x' })
  expect(findPlaceholders({ a: ['x ${one}${two} $${no}', null, '${open'], b: 5 })).toEqual([
    { path: ['a', '0'], name: 'one' },
    { path: ['a', '0'], name: 'two' },
    { path: ['a', '2'], name: undefined },
  ])
})

test('a mistake is that of the options at its place, or else of those within it', () => {
  const placeholders = findPlaceholders({ fault: [{ by: '${one}', on: '${two}', at: '${open' }] })
  const at = (...path: PropertyKey[]) => optionsAt({ path, message: '' }, placeholders)
  expect(at('fault', 0, 'by')).toEqual(['one'])
  expect(at('fault', 0)).toEqual(['one', 'two'])
  expect(at('fault', 1)).toEqual([])
  expect(at('fault', 0, 'by', 'x')).toEqual([])
  expect([isPathWithin(['a', '0'], ['a', 0]), isPathWithin(['a'], ['a', 0])]).toEqual([true, false])
  const reject = (path: PropertyKey[]) =>
    rejectFinding('own', { path, message: 'Invalid option: it is odd' }, placeholders, {
      one: 1,
      two: 'b',
    })
  expect(() => reject(['fault', 0])).toThrow(
    `Failed to use "own": one and two: can't be 1 and "b": it is odd`,
  )
  expect(() => reject(['respond', 0])).toThrow(
    'Failed to use "own" with these options: respond.0: Invalid option: it is odd',
  )
})

const summary = (name: string, parts: Partial<ScenarioSummary> = {}): ScenarioSummary => ({
  name,
  title: '',
  description: '',
  covers: '',
  acts_on: [],
  tags: [],
  options: {},
  conditions: [],
  bundled: true,
  ...parts,
})

const summaries = [
  summary('a', {
    options: { unit: { default: 'x', description: 'Leaf', values: ['ounce', 500] } },
  }),
  summary('b', { description: 'A leaf falls.', covers: 'Autumn' }),
  summary('c', { tags: ['leaf', '5000'] }),
  summary('d', { title: 'Leaf by leaf' }),
  summary('leaf-e', { title: 'Falls' }),
]

test('scenarios are searched by their words, first in the name, then in title, tags and the rest', () => {
  const found = (search: string) => searchScenarios(summaries, search).map(({ name }) => name)
  expect(found('leaf')).toEqual(['leaf-e', 'd', 'c', 'a', 'b'])
  expect(found('LEAF falls')).toEqual(['leaf-e', 'b'])
  expect(found('500')).toEqual(['a'])
  expect(found('5000')).toEqual(['c'])
  expect([found('ounce'), found('unit'), found('autumn'), found('none')]).toEqual([
    ['a'],
    ['a'],
    ['b'],
    [],
  ])
  expect(found('!?')).toEqual(['a', 'b', 'c', 'd', 'leaf-e'])
  expect(suggestSearch(summaries, 'leaf flals')).toBe(' Did you mean "falls"?')
  expect(suggestSearch(summaries, 'leaf ounce autumn')).toBe('')
})

test('who gives a name that no scenario has is told what to give', () => {
  const advise = (given: string) =>
    adviseName(given, {
      scenarios: ['slow', 'expired-key'],
      others: ['mine'],
      find: (words) => (words === 'late reply' ? 'slow' : undefined),
    })
  const search = ' "npx greenhouse-mock scenario list --search WORDS" finds scenarios.'
  const onlyNames = / Only names are accepted here\. Name the folder of a file with --scenarios/
  expect(advise('slow,expired-key:after=5m')).toBe(
    ' Pass each one separately: "slow", "expired-key:after=5m".',
  )
  expect(advise('slow,none')).not.toContain('separately')
  expect(advise('ms=800')).toContain(' Write options after the name of their scenario and a colon')
  expect([advise('slwo'), advise('mnie'), advise('a/b/slow.yaml'), advise('a\\mine.yml')]).toEqual([
    ' Did you mean "slow"?',
    ' Did you mean "mine"?',
    ' Did you mean "slow"?',
    ' Did you mean "mine"?',
  ])
  expect(advise('slow.json')).toBe(' Did you mean "slow"?')
  for (const odd of ['a/none', 'none.yaml', '{respond}', '[slow]', 'respond', 'fault'])
    expect(advise(odd)).toMatch(onlyNames)
  expect(advise('late reply')).toBe(' Did you mean "slow"?')
  expect([advise('late-reply'), advise('a late reply'), advise('zzzz:x=1')]).toEqual([
    ' Did you mean "slow"?',
    search,
    search,
  ])
})
