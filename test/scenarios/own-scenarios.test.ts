import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
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
  expect([(await call('GET', '/v1/apps')).status, (await call('GET', '/v1/apps', { key: 'key_free' })).status]).toEqual(
    [401, 200],
  )
})

test('a scenario of the same name takes the place of the one that comes along', async () => {
  const greenhouse = createGreenhouse({ scenarios: { 'expired-key': scenarios.empty } })
  expect(greenhouse.scenarios().filter(({ name }) => name === 'expired-key')).toMatchObject([{ title: 'Own' }])
})
