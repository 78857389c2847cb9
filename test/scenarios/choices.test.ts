import { expect, test } from 'vitest'
import { type ScenarioChoice, type World, createGreenhouse } from 'greenhouse-mock'
import { testControl } from '../support/control.ts'
import { open, statusesOf, testApi } from '../support/test-api.ts'
import { answered } from './helpers.ts'

test('scenarios are listed in the order of their activation; the same one again replaces itself', () => {
  const world = createGreenhouse().world()
  world.use('server-error')
  world.use('malformed-plant')
  expect(world.scenarios).toEqual(['server-error', 'malformed-plant'])
  world.use('server-error', { on: 'apps.*' })
  expect(world.scenarios).toEqual(['malformed-plant', 'server-error'])
  expect(world.scenario).toBe('malformed-plant, server-error:on=apps.*')
  world.clear('malformed-plant')
  expect(world.scenarios).toEqual(['server-error'])
  world.clear()
  expect(world.scenarios).toEqual([])
  expect(world.scenario).toBe('')
})

const nested = { name: 'slow', options: { ms: 800 } } as never
const flat =
  'Failed to use the scenario "slow": put options beside the name, not below "options". Write {"name":"slow","ms":800}.'
const notations = /expected its name and options as text, such as "slow:ms=800", or as an object/
const records = [{ collection: 'plnts' as 'plants', keep: 'none' as const }]

/** What code can get wrong as it switches scenarios, and the words of the error. */
const mistakes: [act: (world: World) => unknown, words: string | RegExp | Error][] = [
  [
    (world) => world.use('expird-key' as never),
    new RangeError(
      'Failed to use the scenario "expird-key": there is no such scenario. Did you mean "expired-key"?',
    ),
  ],
  [(world) => world.use('payment_declined' as never), 'Did you mean "purchase-declined"?'],
  [(world) => world.use('expired' as never), 'Did you mean "expired-key"?'],
  [(world) => world.use('key' as never), /"key": there is no such scenario\. "npx [^?]+$/],
  [
    (world) => world.use('expired-key', { aftr: '1h' } as never),
    'aftr: there is no such option; expected one of key, after, on, account, plan, times. Did you mean "after"?',
  ],
  [(world) => world.use('malformed-plant', { kind: null as never }), 'kind: expected one of'],
  [
    (world) => world.use({ title: 'None', records }),
    /expected one of \w+, \w+.* Did you mean "plants"\?/,
  ],
  [
    (world) => world.use('flaky, slow' as never),
    'there is no such scenario. Pass each one separately: "flaky", "slow".',
  ],
  [
    (world) => world.clear('slwo' as never),
    new RangeError(
      'Failed to clear the scenario "slwo": there is no such scenario. Did you mean "slow"?',
    ),
  ],
  [() => createGreenhouse({ use: ['expird-key' as never] }), 'Did you mean "expired-key"?'],
  [
    () => createGreenhouse({ use: [{ name: 'malformed-plant', item: -1.5 }] }),
    'whole number, 0 or more, received -1.5.',
  ],
  [() => createGreenhouse({ use: [nested] }), flat],
  [(world) => world.use(nested), flat],
  [(world) => world.use({ name: 'slow', options: 'ms=800' } as never), 'Write {"name":"slow"}.'],
  [(world) => world.useOnly([nested]), flat],
  [(world) => world.reset({ scenarios: [nested] }), flat],
  ...[5, null, {}, ['slow']].map((wrong): [(world: World) => unknown, RegExp] => [
    (world) => world.useOnly([wrong as never]),
    notations,
  ]),
  [
    (world) => world.useOnly('slow' as never),
    new TypeError(
      "Failed to call world.useOnly(): the first argument: expected a list of scenarios, such as ['slow', 'rate-limited-plan:window=day'], received \"slow\".",
    ),
  ],
]

test('a misspelt scenario throws with a suggestion, and active ones stay', () => {
  const world = createGreenhouse().world()
  world.use('malformed-plant')
  for (const [act, words] of mistakes) {
    const isExact = words instanceof Error
    expect(() => act(world), String(act)).toThrow(isExact ? words.message : words)
    if (isExact) expect(() => act(world), String(act)).toThrow(words.constructor as typeof Error)
  }
  expect(world.scenarios).toEqual(['malformed-plant'])
  world.clear('slow')
  expect(world.scenarios, 'one that is off stays off').toEqual(['malformed-plant'])
})

test('scenarios given at the start are active in every world, and again after a reset', () => {
  const greenhouse = createGreenhouse({
    use: ['expired-key', { name: 'malformed-plant', item: 2 }],
  })
  for (const world of [greenhouse.world(), greenhouse.world('other')]) {
    expect(world.scenarios).toEqual(['expired-key', 'malformed-plant'])
    world.clear()
    world.use('server-error')
    world.reset()
    expect(world.scenarios).toEqual(['expired-key', 'malformed-plant'])
  }
})

const all = { name: 'rate-limited-plan', window: 'day', plan: 'any', remaining: 0, until: 'reset' }

/** The same scenario with the same option, in each notation. */
const choices: ScenarioChoice[] = [
  'rate-limited-plan:window=day',
  { name: 'rate-limited-plan', window: 'day' },
]

for (const notation of choices) {
  const shown = JSON.stringify(notation)

  test(`createGreenhouse, use, useOnly and reset take ${shown}`, () => {
    const greenhouse = createGreenhouse({ use: [notation] })
    const started = greenhouse.world('started')
    const used = greenhouse.world('used')
    const only = greenhouse.world('only')
    const reset = greenhouse.world('reset')
    for (const world of [used, only, reset]) world.clear()
    used.use(notation)
    only.useOnly([notation])
    reset.reset({ scenarios: [notation] })
    for (const world of [started, used, only, reset]) expect(world.active).toEqual([all])
  })

  testControl(
    `the control API takes ${shown} and answers in the same notation`,
    async ({ control, greenhouse }) => {
      const { body } = await control('PUT', '/worlds/default/scenarios', { active: [notation] })
      expect(body).toEqual({ active: [all] })
      await control('PUT', '/worlds/other', { scenarios: [notation] })
      expect(greenhouse.world('other').active).toEqual([all])
      expect((await control('PUT', '/worlds/again/scenarios', body)).body).toEqual(body)
    },
  )
}

test('a name with options, and options over those in a text, are accepted too', () => {
  const world = createGreenhouse().world()
  world.use('rate-limited-plan', { window: 'day' })
  expect(world.active).toEqual([all])
  world.use('rate-limited-plan:window=day;remaining=3', { remaining: 0 } as never)
  expect(world.active).toEqual([all])
})

testApi('the header accepts what world.scenario returns', async ({ world, call }) => {
  world.use('rate-limited-plan', { window: 'day' })
  world.use('bad-request', { message: ' 100% wrong, really; see “docs” ', on: 'plants.create' })
  expect(world.scenario).toBe(
    'rate-limited-plan:window=day, bad-request:on=plants.create,message=%20100%25 wrong%2C really%3B see %E2%80%9Cdocs%E2%80%9D%20',
  )
  const { scenario, active } = world
  const headers = { 'x-greenhouse-world': 'fresh', 'x-greenhouse-scenario': scenario }
  const { body } = await call('POST', '/plants', { headers })
  expect(body.message).toBe(' 100% wrong, really; see “docs” ')
  world.useOnly(scenario.split(', ') as never)
  expect(world.active).toEqual(active)
})

const declared = (strict: object) => {
  const malform = [{ on: 'plants.list', field: 'name', kind: 'missing', breaks: '${strict}' }]
  const respond = [{ error: 'internal_error', message: 'At ${strict}' }]
  const isFlag = 'default' in strict && strict.default === true
  return {
    title: 'T',
    description: 'D',
    covers: 'C',
    options: { strict },
    ...(isFlag ? { malform } : { respond }),
  }
}

test('an option that is true or false may be text', () => {
  const world = createGreenhouse({ scenarios: { own: declared({ default: true }) } }).world()
  world.use('own:strict=false' as never)
  expect(world.active).toEqual([{ name: 'own', strict: false }])
})

test.each([
  [{ default: true }, 'true or false'],
  [{ default: 0.5, type: 'number' }, 'a number'],
  [{ default: 0.5, type: 'number', max: 1 }, 'a number, 1 or less'],
  [{ default: 0.5, type: 'number', min: 0, max: 1 }, 'a number from 0 to 1'],
])('the option %j takes %s, and no other word', (option, taken) => {
  const world = createGreenhouse({ scenarios: { own: declared(option) } }).world()
  expect(() => world.use('own:strict=no' as never)).toThrow(
    `strict: expected ${taken}, received "no"`,
  )
})

test('a percent sign that encodes nothing stays as it is', () => {
  const world = createGreenhouse().world()
  world.use('bad-request:message=100%')
  expect(world.active[0]).toMatchObject({ message: '100%' })
})

testControl(
  'a number that no double holds is refused with what the option takes',
  async ({ control }) => {
    const { status, body } = await control(
      'PUT',
      '/worlds/default/scenarios',
      '{"active":[{"name":"slow","ms":99999999999999999999}]}',
    )
    const message = expect.stringContaining(
      'expected a whole number of milliseconds, 0 or more, received 99999999999999999999',
    )
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      message,
      errors: [{ path: '/active/0/ms' }],
    })
  },
)

testApi(
  'the delay, body and headers of three scenarios are in one reply',
  async ({ world, call, send }) => {
    const sound = (await call('GET', '/plants')).body
    world.use('wrong-content-type')
    world.use('malformed-plant', { kind: 'null' })
    const asked = send('/plants', {
      headers: {
        authorization: 'Bearer key_pro',
        'x-greenhouse-scenario': 'slow:ms=60000, no-rate-limit-headers',
      },
    })
    await answered(world, 2)
    world.clock.advance('1m')
    const response = await asked
    expect(response.headers.get('content-type')).not.toBe('application/json')
    expect(JSON.parse(await response.text())).toEqual([
      { ...sound[0], name: null },
      ...sound.slice(1),
    ])
    expect(world.scenarios).toEqual(['wrong-content-type', 'malformed-plant'])
  },
)

testApi('an option on can also be called operation', async ({ world, call }) => {
  world.use('server-error', { operation: 'apps.list' })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps')).toEqual([200, 500])
  expect(world.active).toEqual([{ name: 'server-error', on: 'apps.list' }])
})

test('spaces and empty parts of a choice count for nothing', () => {
  const { world } = open()
  for (const text of [' slow:ms=5 ', 'slow : ms = 5 ; ; ', 'slow:; ,ms=5']) {
    world.useOnly([text as 'slow'])
    expect(world.active).toEqual([{ name: 'slow', ms: 5, on: '*' }])
  }
  world.useOnly([' server-error ' as 'server-error'])
  expect(world.scenarios).toEqual(['server-error'])
  expect(() => world.use('slow: mss ;')).toThrow(
    'Failed to use "slow": mss: there is no such option',
  )
  expect(() => world.use('slow:=5')).toThrow('Failed to use "slow": : there is no such option')
})

test('a choice without a name and without effects is refused', () => {
  const { world } = open()
  for (const choice of [5, undefined, null, [], {}, { name: 5 }, function slow() {}])
    expect(() => world.use(choice as never), String(choice)).toThrow(notations)
})
