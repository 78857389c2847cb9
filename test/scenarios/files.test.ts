import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'
import { testApi } from '../support/test-api.ts'
import { own } from './helpers.ts'

testApi(
  'a custom reply has the given status, body and headers, each once',
  async ({ world, call }) => {
    const headers = { 'content-type': 'application/problem+json', 'X-Teapot': 'short' }
    world.use({ respond: [{ on: 'plants.*', status: 418, headers, body: { stout: true } }] })
    const reply = await call('GET', '/plants')
    expect([reply.status, reply.body]).toEqual([418, { stout: true }])
    expect(reply.headers.get('content-type')).toBe('application/problem+json')
    expect(reply.headers.get('x-teapot')).toBe('short')
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)

const ofPlan = own({
  options: { to: { default: 'free' } },
  account: [{ plan: '${to}', where: { account: 'acct_pro' } }],
})

testApi(
  'an option is filled in wherever an effect names it',
  { scenarios: ofPlan },
  async ({ world, call }) => {
    const limitOf = async (key = 'key_pro') =>
      (await call('GET', '/v1/apps', { key })).headers.get('x-ratelimit-limit')
    world.use('own')
    expect(await limitOf()).toBe('60')
    world.use('own', { to: 'pro_plus' })
    expect([await limitOf(), await limitOf('key_lite')]).toEqual(['600', '120'])
  },
)

test('a header may be a number, written or chosen', async () => {
  const headers = { 'Retry-After': '${seconds}', 'X-Count': 5 }
  const scenarios = own({
    options: { seconds: { default: 120 } },
    respond: [{ status: 503, headers }],
  })
  const reply = await createGreenhouse({ scenarios, use: ['own'] }).fetch(
    new Request('http://any/plants'),
  )
  expect([reply.headers.get('retry-after'), reply.headers.get('x-count')]).toEqual(['120', '5'])
})

test("a user's scenario replaces the bundled one of its name", async () => {
  const greenhouse = createGreenhouse({ scenarios: { 'expired-key': own({ assume: {} })['own'] } })
  expect(greenhouse.scenarios().filter(({ name }) => name === 'expired-key')).toMatchObject([
    { title: 'T' },
  ])
})

const body = { a: '$${plan} is ${plan}', b: '$${', c: 'a $${plan', d: '$$${plan}' }
const answering = (body: unknown) =>
  own({
    options: { plan: { default: 'pro' } },
    respond: [{ on: 'plants.list', status: 200, body }],
  })

test('a doubled dollar stands for the text that would begin an option', async () => {
  const greenhouse = createGreenhouse({ scenarios: answering(body), use: ['own:plan=lite'] })
  const reply = await greenhouse.fetch(new Request('http://any/plants'))
  expect(await reply.json()).toEqual({
    a: '${plan} is lite',
    b: '${',
    c: 'a ${plan',
    d: '$${plan}',
  })
})

test('a scenario with an unused option is refused', () => {
  expect(() => createGreenhouse({ scenarios: answering('$${plan}') })).toThrow(
    'options.plan: is not used',
  )
})

for (const name of ['name', 'options'])
  test(`an option cannot be called "${name}", which has another meaning`, () => {
    const scenarios = own({
      options: { [name]: { default: 'day' } },
      quota: [{ window: `\${${name}}` }],
    })
    expect(() => createGreenhouse({ scenarios })).toThrow(
      `options.${name}: an option can't be called "${name}"`,
    )
  })

test('the least and the greatest value of an option may be the same', () => {
  const options = { ms: { description: 'How long', default: 3, min: 3, max: 3 } }
  expect(() =>
    createGreenhouse({ scenarios: own({ options, fault: [{ kind: 'delay', fixed: '${ms}' }] }) }),
  ).not.toThrow()
})

const text = `title: Own
description: A situation of our own.
covers: Whatever we like.
fault:
  - kind: delay
    fixed: 5ms
`

test('a scenario from a file has its path, and one from code is marked as not bundled', () => {
  const folder = writeFolder({ 'own.yaml': text, 'slow.yaml': text })
  const { slow, own } = loadScenarios(folder) as Record<'own' | 'slow', object>
  const greenhouse = createGreenhouse({ scenarios: { own, slow, coded: { ...own } } })
  const told = new Map(greenhouse.scenarios().map((scenario) => [scenario.name, scenario]))
  expect(told.get('own')).toMatchObject({ bundled: false, file: join(folder, 'own.yaml') })
  expect(told.get('slow')).toMatchObject({ bundled: false, file: join(folder, 'slow.yaml') })
  expect(told.get('coded')).toMatchObject({ bundled: false })
  expect(told.get('coded')).not.toHaveProperty('file')
  expect(told.get('flaky')).toMatchObject({ bundled: true })
  expect(told.get('flaky')).not.toHaveProperty('file')
})

test('a scenario that takes a connection says which fault does, and MSW refuses exactly those', async () => {
  const { createHandlers } = await import('greenhouse-mock/msw')
  const greenhouse = createGreenhouse()
  const told = greenhouse.scenarios().filter((scenario) => scenario.needs_connection !== undefined)
  createHandlers(greenhouse)
  const refused = greenhouse.scenarios().filter(({ name }) => {
    greenhouse.world().clear()
    try {
      greenhouse.world().use(name as never)
    } catch {}
    return greenhouse.world().scenarios.length === 0
  })
  expect(told.map(({ name }) => name)).toEqual(refused.map(({ name }) => name))
  expect(told.find(({ name }) => name === 'connection-reset')).toMatchObject({
    needs_connection: 'reset',
  })
})
