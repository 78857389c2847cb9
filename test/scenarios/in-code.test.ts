import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'

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
    const answers = [
      await call('GET', '/plants'),
      await call('GET', '/v1/apps'),
      await call('GET', '/v1/apps', { key: 'key_free' }),
    ]
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
