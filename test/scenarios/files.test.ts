import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'
import { statusesOf } from '../support/statuses.ts'
import { testApi } from '../support/test-api.ts'

const head = { title: 'Own', description: 'A situation of our own.', covers: 'Whatever we like.' }

const scenarios = {
  teapot: {
    ...head,
    respond: [
      {
        on: 'plants.*',
        status: 418,
        headers: { 'content-type': 'application/problem+json', 'X-Teapot': 'short' },
        body: { stout: true },
      },
    ],
  },
  empty: { ...head, respond: [{ on: 'plants.list', status: 204 }] },
  downgrade: {
    ...head,
    options: { to: { default: 'free' } },
    account: [{ plan: '${to}', where: { account: 'acct_pro' } }],
  },
  lenient: { ...head, assume: { 'plants.delete.unknown': 204 } },
  revoked: { ...head, keys: [{ revoke: true, where: { plan: 'pro' } }] },
}

testApi('a custom reply has the given status, body and headers, each once', { scenarios }, async ({ world, call }) => {
  world.use('teapot')
  const { status, body, headers } = await call('GET', '/plants')
  expect([status, body]).toEqual([418, { stout: true }])
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('x-teapot')).toBe('short')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('a custom reply may have no body', { scenarios }, async ({ world, call }) => {
  world.use('empty')
  expect(await call('GET', '/plants')).toMatchObject({ status: 204, text: '' })
})

testApi('an account can be on another plan', { scenarios }, async ({ world, call }) => {
  world.use('downgrade')
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-limit')).toBe('60')
  world.use('downgrade', { to: 'pro_plus' })
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-limit')).toBe('600')
  expect((await call('GET', '/v1/apps', { key: 'key_lite' })).headers.get('x-ratelimit-limit')).toBe('120')
})

testApi('an assumption can be another one', { scenarios }, async ({ world, call }) => {
  expect((await call('DELETE', '/plants/5000')).status).toBe(404)
  world.use('lenient')
  expect((await call('DELETE', '/plants/5000')).status).toBe(204)
  world.clear()
  expect((await call('DELETE', '/plants/5000')).status).toBe(404)
})

testApi('keys can be revoked by plan', { scenarios }, async ({ world, call }) => {
  world.use('revoked')
  expect(await statusesOf(call, 'GET /v1/apps', ['GET /v1/apps', { key: 'key_free' }])).toEqual([401, 200])
})

test('a scenario of the same name takes the place of the one that comes along', async () => {
  const greenhouse = createGreenhouse({ scenarios: { 'expired-key': scenarios.empty } })
  expect(greenhouse.scenarios().filter(({ name }) => name === 'expired-key')).toMatchObject([{ title: 'Own' }])
})

const own = {
  title: 'T',
  description: 'D',
  covers: 'C',
  options: { plan: { default: 'pro' } },
  respond: [
    { on: 'plants.list', status: 200, body: { a: '$${plan} is ${plan}', b: '$${', c: 'a $${plan', d: '$$${plan}' } },
  ],
}

test('a doubled dollar stands for the text that would begin an option', async () => {
  const greenhouse = createGreenhouse({ scenarios: { own }, use: ['own:plan=lite'] })
  const reply = await greenhouse.fetch(
    new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } }),
  )
  expect(await reply.json()).toEqual({ a: '${plan} is lite', b: '${', c: 'a ${plan', d: '$${plan}' })
})

test('one that uses no option otherwise says so', () => {
  const unused = { ...own, respond: [{ on: 'plants.list', status: 200, body: '$${plan}' }] }
  expect(() => createGreenhouse({ scenarios: { unused } })).toThrow('options.plan: is not used')
})

for (const name of ['name', 'options'])
  test(`an option cannot be called "${name}", which has another meaning`, () => {
    const own = {
      title: 'T',
      description: 'D',
      covers: 'C',
      options: { [name]: { default: 'day' } },
      quota: [{ window: `\${${name}}` }],
    }
    expect(() => createGreenhouse({ scenarios: { own } })).toThrow(
      `options.${name}: an option can't be called "${name}"`,
    )
  })

test('the least and the greatest value of an option may be the same', () => {
  const about = { title: 'T', description: 'D', covers: 'C' }
  const options = { ms: { description: 'How long', default: 3, min: 3, max: 3 } }
  const scenarios = { own: { ...about, options, fault: [{ kind: 'delay', fixed: '${ms}' }] } }
  expect(() => createGreenhouse({ scenarios })).not.toThrow()
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
  const { slow, own } = loadScenarios(folder) as Record<string, object>
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
    try {
      greenhouse.world().useOnly([name as never])
      return false
    } catch {
      return true
    }
  })
  expect(told.map(({ name }) => name)).toEqual(refused.map(({ name }) => name))
  expect(told.find(({ name }) => name === 'connection-reset')).toMatchObject({ needs_connection: 'reset' })
})
