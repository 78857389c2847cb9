import { expect, test } from 'vitest'
import { type ScenarioChoice, createGreenhouse } from 'greenhouse-mock'
import { expectControlError, testControl } from '../support/control.ts'
import { statusesOf } from '../support/statuses.ts'
import { testApi } from '../support/test-api.ts'
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

test('a scenario or an option that does not exist throws, and what was active stays', () => {
  const world = createGreenhouse().world()
  world.use('malformed-plant')
  expect(() => world.use('expird-key' as never)).toThrow(
    new RangeError('Failed to use the scenario "expird-key": there is no such scenario. Did you mean "expired-key"?'),
  )
  expect(() => world.use('payment_declined' as never)).toThrow('Did you mean "purchase-declined"?')
  expect(() => world.use('expired-key', { aftr: '1h' } as never)).toThrow(
    'it has no option "aftr", only key, after. Did you mean "after"?',
  )
  expect(() => world.use('malformed-plant', { kind: null as never })).toThrow(
    'Failed to use "malformed-plant": the option "kind" takes one of',
  )
  expect(() => world.use({ title: 'None', records: [{ collection: 'plnts' as 'plants', keep: 'none' }] })).toThrow(
    /there is no such collection; expected one of \w+, \w+.* Did you mean "plants"\?/,
  )
  expect(world.scenarios).toEqual(['malformed-plant'])
})

test('scenarios given at the start are active in every world, and again after a reset', () => {
  const greenhouse = createGreenhouse({ use: ['expired-key', { name: 'malformed-plant', item: 2 }] })
  for (const world of [greenhouse.world(), greenhouse.world('other')]) {
    expect(world.scenarios).toEqual(['expired-key', 'malformed-plant'])
    world.clear()
    world.use('server-error')
    world.reset()
    expect(world.scenarios).toEqual(['expired-key', 'malformed-plant'])
  }
})

test('a scenario that does not exist can not be cleared; one that is off stays off', () => {
  const world = createGreenhouse().world()
  world.use('flaky')
  expect(() => world.clear('slwo' as never)).toThrow(
    new RangeError('Failed to clear the scenario "slwo": there is no such scenario. Did you mean "slow"?'),
  )
  world.clear('slow')
  expect(world.scenarios).toEqual(['flaky'])
})

test('a scenario at the start that does not exist throws at the start', () => {
  expect(() => createGreenhouse({ use: ['expird-key' as never] })).toThrow('Did you mean "expired-key"?')
  expect(() => createGreenhouse({ use: [{ name: 'malformed-plant', item: -1.5 }] })).toThrow(
    'the option "item" takes a whole number, 0 or more; -1.5 was given.',
  )
})

test('a scenario is active in its own world only', async () => {
  const greenhouse = createGreenhouse()
  greenhouse.world('one').use('server-error')
  const statusIn = async (world: string) =>
    (
      await greenhouse.fetch(
        new Request(`http://greenhouse.test/~${world}/plants`, { headers: { authorization: 'Bearer key_pro' } }),
      )
    ).status
  expect(await Promise.all([statusIn('one'), statusIn('two')])).toEqual([500, 200])
})

testApi(
  'scenarios given at the start hold through every adapter until they are cleared',
  {
    use: [
      { name: 'rate-limited-plan', plan: 'free' },
      { name: 'malformed-plant', kind: 'missing' },
    ],
  },
  async ({ world, call }) => {
    expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(429)
    expect((await call('GET', '/plants')).body[0]).toEqual({ tag: 'herb' })
    world.clear()
    expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
    expect((await call('GET', '/plants')).body[0]).toEqual({ name: 'Lavandula angustifolia', tag: 'herb' })
  },
)

testApi('after all scenarios were on and are cleared, everything is as before', async ({ world, call }) => {
  const look = async () => {
    const free = await call('GET', '/v1/apps', { key: 'key_free' })
    const answers = [await call('GET', '/plants'), await call('GET', '/v1/apps'), free]
    return answers.map(({ status, text, headers }) => [
      status,
      text,
      headers.get('x-greenhouse'),
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-reset'),
    ])
  }
  const remaining = async () => (await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')
  const before = await look()
  const left = Number(await remaining())
  for (const scenario of ['server-error', 'rate-limited-plan', 'expired-key', 'malformed-plant']) {
    world.use(scenario as never)
    for (const path of ['/plants', '/v1/apps', '/v1/apps']) await call('GET', path)
    if (scenario !== 'malformed-plant') world.clear(scenario as never)
  }
  world.clear()
  expect(Number(await remaining()), 'only the two that malformed-plant let through are spent').toBe(left - 3)
  expect(await look()).toEqual(before)
})

const all = { name: 'rate-limited-plan', window: 'day', plan: 'any', remaining: 0, until: 'reset' }

/** The same scenario with the same option, in each notation. */
const notations: ScenarioChoice[] = ['rate-limited-plan:window=day', { name: 'rate-limited-plan', window: 'day' }]

for (const notation of notations) {
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

  testControl(`the control API takes ${shown} and answers in the same notation`, async ({ control, greenhouse }) => {
    const { body } = await control('PUT', '/worlds/default/scenarios', { active: [notation] })
    expect(body).toEqual({ active: [all] })
    await control('PUT', '/worlds/other', { scenarios: [notation] })
    expect(greenhouse.world('other').active).toEqual([all])
    expect((await control('PUT', '/worlds/again/scenarios', body)).body).toEqual(body)
  })
}

test('a name with options, and options over those in a text, are accepted too', () => {
  const world = createGreenhouse().world()
  world.use('rate-limited-plan', { window: 'day' })
  expect(world.active).toEqual([all])
  world.use('rate-limited-plan:window=day;remaining=3', { remaining: 0 } as never)
  expect(world.active).toEqual([all])
})

test('options below "options" are refused with the flat form', () => {
  const nested = { name: 'slow', options: { ms: 800 } }
  const message =
    'Failed to use the scenario "slow": put options beside the name, not below "options". Write {"name":"slow","ms":800}.'
  const world = createGreenhouse().world()
  expect(() => createGreenhouse({ use: [nested as never] })).toThrow(message)
  expect(() => world.use(nested as never)).toThrow(message)
  expect(() => world.use({ name: 'slow', options: 'ms=800' } as never)).toThrow('Write {"name":"slow"}.')
  expect(() => world.useOnly([nested as never])).toThrow(message)
  expect(() => world.reset({ scenarios: [nested as never] })).toThrow(message)
  expect(world.active).toEqual([])
})

testControl('the control API refuses options below "options" with the flat form', async ({ control }) => {
  expectControlError(
    await control('PUT', '/worlds/default/scenarios', { active: [{ name: 'slow', options: { ms: 800 } }] }),
    400,
    'invalid_request',
    /Write \{"name":"slow","ms":800\}/,
  )
})

test('what is no scenario at all is refused with both notations', () => {
  const world = createGreenhouse().world()
  for (const wrong of [5, null, {}, ['slow']])
    expect(() => world.useOnly([wrong as never])).toThrow(
      /expected its name and options as text, such as "slow:ms=800", or as an object/,
    )
  expect(() => world.useOnly('slow' as never)).toThrow(
    new TypeError(
      "Failed to call world.useOnly(): the first argument takes a list of scenarios, such as ['slow', 'rate-limited-plan:window=day']; \"slow\" was given.",
    ),
  )
})

test('several names in one text are refused with the advice to name each by itself', () => {
  expect(() =>
    createGreenhouse()
      .world()
      .use('flaky, slow' as never),
  ).toThrow('there is no such scenario. Pass each one separately: "flaky", "slow".')
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

test('an option that is true or false may be text, but no other word', () => {
  const malform = [{ on: 'plants.list', field: 'name', kind: 'missing', breaks: '${strict}' }]
  const own = { title: 'T', description: 'D', covers: 'C', options: { strict: { default: true } }, malform }
  const world = createGreenhouse({ scenarios: { own } }).world()
  world.use('own:strict=false' as never)
  expect(world.active).toEqual([{ name: 'own', strict: false }])
  expect(() => world.use('own:strict=no' as never)).toThrow('"strict" takes true or false; "no" was given')
})

test('a percent sign that encodes nothing stays as it is', () => {
  const world = createGreenhouse().world()
  world.use('bad-request:message=100%')
  expect(world.active[0]).toMatchObject({ message: '100%' })
})

testControl('a number that no double holds is refused with what the option takes', async ({ control }) => {
  const { status, body } = await control(
    'PUT',
    '/worlds/default/scenarios',
    '{"active":[{"name":"slow","ms":99999999999999999999}]}',
  )
  const message = expect.stringContaining(
    '"ms" takes a whole number of milliseconds, 0 or more; 99999999999999999999 was given',
  )
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'invalid_request', message, errors: [{ path: '/active/0/ms' }] })
})

testApi(
  'a delay, a malformed body and the headers of three scenarios are in one reply',
  async ({ world, call, send }) => {
    const sound = (await call('GET', '/plants')).body
    world.use('wrong-content-type')
    world.use('malformed-plant', { kind: 'null' })
    const asked = send('/plants', {
      headers: { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'slow:ms=60000, no-rate-limit-headers' },
    })
    await answered(world, 2)
    world.clock.advance('1m')
    const response = await asked
    expect(response.headers.get('content-type')).not.toBe('application/json')
    expect(JSON.parse(await response.text())).toEqual([{ ...sound[0], name: null }, ...sound.slice(1)])
    expect(world.scenarios).toEqual(['wrong-content-type', 'malformed-plant'])
  },
)

testApi('a header holds for one request, what is switched on until it is cleared', async ({ world, call }) => {
  const status = async (headers = {}) => (await call('GET', '/plants', { headers })).status
  expect([await status({ 'x-greenhouse-scenario': 'forbidden' }), await status()]).toEqual([403, 200])
  world.use('forbidden')
  expect([await status(), await status({ 'x-greenhouse-scenario': 'not-found' }), await status()]).toEqual([
    403, 404, 403,
  ])
  world.clear()
  expect(await status()).toBe(200)
})

testApi('an option on can also be called operation', async ({ world, call }) => {
  world.use('server-error', { operation: 'apps.list' })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps')).toEqual([200, 500])
  expect(world.active).toEqual([{ name: 'server-error', on: 'apps.list' }])
})
