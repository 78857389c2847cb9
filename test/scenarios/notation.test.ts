import { expect, test } from 'vitest'
import { createGreenhouse, type ScenarioChoice } from 'greenhouse-mock'
import { testControl, expectControlError } from '../support/control.ts'
import { testApi } from '../support/test-api.ts'

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
  const { body } = await call('POST', '/plants', {
    headers: { 'x-greenhouse-world': 'fresh', 'x-greenhouse-scenario': scenario },
  })
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
  expect([status, body.error]).toMatchObject([
    400,
    { code: 'invalid_request', message, errors: [{ path: '/active/0/ms' }] },
  ])
})
