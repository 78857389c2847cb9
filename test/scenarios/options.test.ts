import { createGreenhouse, type OptionDeclaration, type ScenarioChoice } from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { open } from '../support/test-api.ts'
import { own } from './helpers.ts'

/** A world with a scenario `own` that answers with the value of its option `it`. */
const openWith = (it: OptionDeclaration) =>
  open({
    scenarios: own({ options: { it }, respond: [{ status: 200, body: { it: '${it}' } }] }),
  })

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
  [{ default: 'a', values: ['a', 'b'] }, 'b', 'b'],
]

test.each(accepted)('the option %j takes %j as %j', async (declaration, given, value) => {
  const { world, call } = openWith(declaration)
  world.use({ name: 'own', it: given } as never)
  expect((await call('GET', '/plants')).body).toEqual({ it: value })
  expect(world.active).toMatchObject([{ name: 'own', it: value }])
})

const rejected: [declaration: OptionDeclaration, given: unknown, message: string][] = [
  [
    { default: 5, type: 'integer', unit: 'bytes', min: 1 },
    0,
    'a whole number of bytes, 1 or more, received 0.',
  ],
  [{ default: 5, min: 0, max: 9 }, 10, 'a number from 0 to 9, received 10.'],
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
  const { world } = openWith(declaration)
  expect(() => world.use({ name: 'own', it: given } as never)).toThrow(
    `Failed to use "own": it: expected ${message}`,
  )
})

/** The options, and where the file puts them. Its `where` has an account and a plan. */
const withOptions = (...options: string[]) =>
  own({
    options: Object.fromEntries(options.map((name) => [name, { default: name }])),
    respond: [
      {
        status: 500,
        text: options.map((name) => `\${${name}}`).join(),
        where: { plan: options.includes('plan') ? '${plan}' : 'any' },
      },
    ],
  })

function activate(options: readonly string[], given: object) {
  const { world } = open({ scenarios: withOptions(...options) })
  world.use({ name: 'own', ...given } as ScenarioChoice)
  return world.active[0]
}

test('a chosen option is an option of the file, or narrows the scenario', () => {
  const chosen = (given: object) => activate(['ms'], given)
  expect(chosen({ times: 2, ms: '7', operation: 'apps.*' })).toEqual({
    name: 'own',
    ms: '7',
    on: 'apps.*',
    times: 2,
  })
  expect(Object.keys(chosen({ times: 2, on: 'apps.*' })!)).toEqual(['name', 'ms', 'on', 'times'])
  expect(chosen({ times: 0, on: '*' })).toEqual({ name: 'own', ms: 'ms' })
  for (const [given, message] of [
    [
      { mss: 1 },
      'mss: there is no such option; expected one of ms, on, account, key, plan, times. Did you mean "ms"?',
    ],
    [{ toString: 1 }, 'toString: there is no such option'],
    [{ times: -1 }, 'times: expected a whole number, 0 or more, received -1.'],
    [{ where: 5 }, 'where: expected an object with account, key or plan, received 5'],
    [{ where: ['a'] }, 'where: expected an object with account, key or plan, received ["a"]'],
    [
      { where: { palns: 'x' } },
      'where: there is no such field "palns"; expected one of account, key, plan.',
    ],
  ] as const)
    expect(() => chosen(given)).toThrow(`Failed to use "own": ${message}`)
})

test('a field of where is an option that the file puts there', () => {
  const where = { plan: 'pro' }
  expect(activate(['ms'], { where })).toEqual({ name: 'own', ms: 'ms', plan: 'pro' })
  expect(activate(['ms'], { where: { plan: undefined } })).toEqual({ name: 'own', ms: 'ms' })
  const scenarios = (place: object) =>
    own({
      options: { plan: { default: 'any' } },
      respond: [{ status: 500, text: 'x', ...place }],
    })
  const asked = (place: object) => {
    const { world } = open({ scenarios: scenarios(place) })
    world.use({ name: 'own', where })
    return world.active[0]
  }
  expect(asked({ where: { plan: '${plan}' } })).toMatchObject({ plan: 'pro' })
  expect(() => asked({ text: '${plan}' })).toThrow(
    'where: the scenario has an option "plan" with another meaning',
  )
  expect(activate(['where'], { where: 'b' })).toEqual({ name: 'own', where: 'b' })
})

test('options are filled into texts, and what only looks like one stays', async () => {
  const { world, call } = open({
    scenarios: own({
      options: { ms: { default: 5 }, 'to-x': { default: 'y' } },
      respond: [
        {
          status: 200,
          body: { a: ['${ms}', 5], b: 'a ${ms}${to-x} $${ms} $ {ms}', c: '${to-x}' },
        },
      ],
    }),
  })
  world.use('own' as never)
  expect((await call('GET', '/plants')).body).toEqual({
    a: [5, 5],
    b: 'a 5y ${ms} $ {ms}',
    c: 'y',
  })
})

const summary = (more: object) => ({
  title: 'T',
  description: 'D',
  covers: 'C',
  respond: [{ status: 500 }],
  ...more,
})

test('scenarios are searched by their words, first in the name, then in title, tags and the rest', () => {
  const greenhouse = createGreenhouse({
    scenarios: {
      a: summary({
        options: { unit: { default: 'ounce', description: 'Quux', values: ['ounce', 'gram'] } },
        respond: [{ status: 500, text: '${unit}' }],
      }),
      b: summary({ description: 'A quux falls.', covers: 'Autumn' }),
      c: summary({ tags: ['quux', '50007'] }),
      d: summary({ title: 'Quux by quux' }),
      'quux-e': summary({ title: 'Falls' }),
    } as never,
  })
  const found = (search: string) => greenhouse.scenarios({ search }).map(({ name }) => name)
  expect(found('quux')).toEqual(['quux-e', 'd', 'c', 'a', 'b'])
  expect(found('QUUX falls')).toEqual(['quux-e', 'b'])
  expect([found('5000'), found('50007')]).toEqual([[], ['c']])
  expect([found('ounce'), found('autumn'), found('quuux')]).toEqual([['a'], ['b'], []])
})

test('a name that no scenario has is refused with advice', () => {
  const { world } = open({ scenarios: { mine: summary({ title: 'Zebras arrive late' }) as never } })
  const advise = (given: string) => {
    try {
      world.use({ name: given as never })
    } catch (error) {
      return (error as Error).message.split('there is no such scenario.')[1]
    }
    return 'nothing'
  }
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
  expect([advise('zebras late'), advise('zebras-late'), advise('a zebras late')]).toEqual([
    ' Did you mean "mine"?',
    ' Did you mean "mine"?',
    search,
  ])
  expect(advise('zzzzzzz:x=1')).toBe(search)
})
