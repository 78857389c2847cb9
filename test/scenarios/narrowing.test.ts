import { expect, test } from 'vitest'
import { createGreenhouse, type ScenarioChoice, type World } from 'greenhouse-mock'
import { testControl } from '../support/control.ts'
import { open, statusesOf, testApi } from '../support/test-api.ts'
import { own } from './helpers.ts'

const narrowed = 'expired-key:account=acct_lite,times=3'
const object = { name: 'expired-key', account: 'acct_lite', times: 3 } as const
const all = { key: 'any', after: '0s' }

/** The same narrowed scenario in every notation of code. */
const notations: Readonly<Record<string, (world: World) => void>> = {
  text: (world) => world.use(narrowed),
  'an object': (world) => world.use(object),
  options: (world) => world.use('expired-key', { account: 'acct_lite', times: 3 }),
  where: (world) => world.use('expired-key', { where: { account: 'acct_lite' }, times: 3 }),
  'where without a value': (world) =>
    world.use('expired-key', {
      account: 'acct_lite',
      where: { account: undefined },
      times: 3,
    } as never),
  'where in an object': (world) =>
    world.useOnly([{ name: 'expired-key', where: { account: 'acct_lite' }, times: 3 }]),
}

test.each(Object.entries(notations))(
  'a scenario is narrowed by %s, and shown in one form',
  (_, use) => {
    const world = createGreenhouse().world()
    use(world)
    expect(world.active).toEqual([{ ...all, ...object }])
    expect(world.scenario).toBe(narrowed)
    const again = createGreenhouse().world()
    again.useOnly(world.active)
    expect(again.active).toEqual(world.active)
  },
)

testApi('a scenario acts for one account, and so many times', async ({ world, call }) => {
  world.use(narrowed)
  const lite = ['GET /plants', { key: 'key_lite' }] as const
  const asked = ['GET /plants', lite, lite, lite, lite, 'GET /plants'] as const
  expect(await statusesOf(call, ...asked)).toEqual([200, 401, 401, 401, 200, 200])
})

testApi('a header narrows a scenario, and keeps its count', async ({ call }) => {
  const headers = { 'x-greenhouse-scenario': 'forbidden:on=plants.*,plan=lite,times=1' }
  const status = async (path: string, key: string) =>
    (await call('GET', path, { key, headers })).status
  expect(await status('/v1/apps', 'key_lite')).toBe(200)
  expect(await status('/plants', 'key_pro')).toBe(200)
  expect([await status('/plants', 'key_lite'), await status('/plants', 'key_lite')]).toEqual([
    403, 200,
  ])
})

testControl(
  'the control API takes a narrowed scenario, and lists the ways to narrow each',
  async ({ control, world }) => {
    const path = '/worlds/default/scenarios'
    expect(await control('POST', path, { active: [narrowed] })).toMatchObject({ status: 200 })
    expect(world.scenario).toBe(narrowed)
    const rejected = await control('POST', path, {
      active: [{ name: 'slow', account: 'acct_lit' }],
    })
    expect(rejected.body.error.errors).toEqual([
      { path: '/active/0/account', message: expect.stringContaining('Did you mean "acct_lite"?') },
    ])
    const { data } = (await control('GET', '/scenarios')).body
    const conditionsOf = (name: string) =>
      data.find((one: { name: string }) => one.name === name).conditions
    expect(conditionsOf('expired-key')).toEqual(['on', 'account', 'plan', 'times'])
    expect(conditionsOf('slow')).toEqual(['account', 'key', 'plan', 'times'])
    expect(conditionsOf('purchase-declined')).toEqual(['plan', 'times'])
    expect(conditionsOf('webhook-lost')).toEqual(['times'])
    expect(conditionsOf('strict-service')).toEqual([])
  },
)

const unavailable = own({
  respond: [
    { on: 'plants.*', status: 503, where: { plan: 'lite' }, times: 2 },
    { on: 'apps.*', status: 500 },
  ],
})

testApi(
  'conditions of a file stay, and both must hold',
  { scenarios: unavailable },
  async ({ world, call }) => {
    const status = async (path: string, key: string) => (await call('GET', path, { key })).status
    world.use('own:on=*.list,account=acct_lite,times=5' as 'slow')
    expect(await status('/plants', 'key_pro')).toBe(200)
    expect([await status('/plants', 'key_lite'), await status('/plants', 'key_lite')]).toEqual([
      503, 503,
    ])
    expect(await status('/plants', 'key_lite')).toBe(200)
    expect(await status('/v1/apps', 'key_lite')).toBe(500)
    expect(await status('/v1/usage', 'key_lite')).toBe(200)

    world.useOnly(['own:plan=pro' as 'slow'])
    expect(await status('/plants', 'key_lite')).toBe(200)
    expect(world.journal.calls().at(-1)!.verdicts![0]!.why).toBe('it acts on other requests')
    expect(await status('/plants', 'key_pro')).toBe(200)
    expect(world.journal.calls().at(-1)!.verdicts![0]!.why).toBe('it acts on other callers')
    expect(await status('/v1/apps', 'key_pro')).toBe(500)

    world.useOnly(['own:plan=lite' as 'slow'])
    expect([await status('/plants', 'key_lite'), await status('/plants', 'key_pro')]).toEqual([
      503, 200,
    ])
  },
)

const nameless = own({ malform: [{ at: '/0/id', kind: 'null' }] })

test('a glob narrows to operations that may get the field, as no condition does', async () => {
  const { world, call } = open({ scenarios: nameless })
  world.assume('plants.body.includes-id', 'yes')
  world.use('own:on=plants.*' as 'slow')
  expect((await call('GET', '/plants')).body[0].id).toBeNull()
})

const limited = own({ respond: [{ on: 'plants.*', status: 503, where: { plan: 'lite' } }] })
const missing = 'there is no account "acct_lit"'
const respond = [{ status: 503, text: '${account}', where: { account: 'acct_lit' } }]
const waiting = own({ respond: respond.map((one) => ({ ...one, text: 'No.' })) })
const meant = own({ respond, options: { account: { default: 'x' } } })
const meaningful = own({ account: [{ plan: '${plan}' }], options: { plan: { default: 'free' } } })

/** What can't be narrowed, and the words of the error. */
const mistakes: [
  choice: ScenarioChoice | object,
  message: string,
  scenarios?: Record<string, object>,
][] = [
  [
    'strict-service:account=acct_pro',
    "account: it can't be narrowed by this: assume changes the whole world.",
  ],
  [
    'webhook-lost:on=apps.list',
    "on: it can't be narrowed by this: deliver acts on deliveries to webhooks, not on requests.",
  ],
  [
    'purchase-declined:key=key_pro',
    "key: it can't be narrowed by this: a payment belongs to an account, not to a request.",
  ],
  [
    'slow:account=acct_lit',
    'account: can\'t be "acct_lit": there is no account "acct_lit". Did you mean "acct_lite"?',
  ],
  [
    'expired-key:on=plants.lst',
    'on: no operation is called "plants.lst". Did you mean "plants.list"?',
  ],
  ['slow:times=1.5', 'times: expected a whole number, 0 or more, received "1.5".'],
  [
    'slow:plan=peo',
    'plan: expected one of "any", "free", "lite", "pro", "pro_plus", received "peo". Did',
  ],
  ['malformed-reply:on=plants.delete', 'a reply of plants.delete has no body to malform'],
  [
    'malformed-plant:on=apps.list',
    'it would never act: its file limits it to other requests already',
  ],
  ['own:on=plants.delete', 'on: a reply of plants.delete has no body to malform', nameless],
  [
    'own:account=acct_lit',
    'Failed to use "own": account: can\'t be "acct_lit": there is no account "acct_lit". Did you mean',
    own({ respond: [{ status: 503 }] }),
  ],
  ['own', `with these options: respond.0.where.account: ${missing}`, waiting],
  ['own:account=y', `with these options: respond.0.where.account: ${missing}`, meant],
  ['own:plan=pro', 'plan: it would never act', limited],
  ['own:on=apps.*', 'on: it would never act', limited],
  [
    { name: 'slow', where: 'acct_lite' },
    'where: expected an object with account, key or plan, received "acct_lite"',
  ],
  [
    { name: 'slow', where: { acount: 'acct_lite' } },
    'there is no such field "acount"; expected one of account, key',
  ],
  [{ name: 'plan-downgrade', where: { plan: 'pro' } }, 'has an option "plan" with another meaning'],
  [
    { name: 'own', where: { plan: 'pro' } },
    'has an option "plan" with another meaning',
    meaningful,
  ],
]

test.each(mistakes)('%j is rejected, and nothing changes', (choice, message, scenarios = {}) => {
  const world = createGreenhouse({ scenarios, use: ['slow'] }).world()
  const before = world.active
  const code = expect.stringMatching(/^GREENHOUSE_\w+$/)
  const wrong = { message: expect.stringContaining(message), code }
  expect(() => world.useOnly([choice as never])).toThrow(expect.objectContaining(wrong))
  expect(world.active).toEqual(before)
  world.useOnly([{ name: 'purchase-declined', where: { account: 'acct_pro' } }])
  expect(world.scenario).toBe('purchase-declined:account=acct_pro')
})

test('a narrowed scenario stays narrowed in a snapshot, in a case and when its file changes', () => {
  const greenhouse = createGreenhouse({ scenarios: own({ respond: [{ status: 500 }] }) })
  const world = greenhouse.world()
  world.use('own:account=acct_lite,times=3' as 'slow')
  world.snapshot('narrowed')
  world.clear()
  world.restore('narrowed')
  greenhouse.reload({ scenarios: own({ respond: [{ status: 501 }] }) })
  expect(world.scenario).toBe('own:account=acct_lite,times=3')
  expect(JSON.stringify(world.toCase())).toContain('{"name":"own","account":"acct_lite","times":3}')
})
