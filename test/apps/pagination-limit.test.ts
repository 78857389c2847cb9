import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'

function fill(world: World, count: number) {
  world.records.apps.replace(
    Array.from({ length: count }, (_, index) => ({
      id: `app_${index}`,
      account: 'acct_pro',
      name: `app ${index}`,
      created_at: 0,
      updated_at: 0,
    })),
  )
}

testApi('a page holds 20 apps unless limit says otherwise', async ({ call, world }) => {
  fill(world, 21)
  const { body } = await call('GET', '/v1/apps')
  expect(body.data).toHaveLength(20)
  expect(body.has_more).toBe(true)
  expect(body.next_cursor).toEqual(expect.any(String))
})

testApi('limit can be 1 to 100', async ({ call, world }) => {
  fill(world, 101)
  for (const limit of [1, 2, 19, 21, 99, 100]) {
    const { status, body } = await call('GET', `/v1/apps?limit=${limit}`)
    expect(status).toBe(200)
    expect(body.data).toHaveLength(limit)
    expect(body.has_more).toBe(true)
  }
})

testApi('a page that holds the last app has no next one', async ({ call, world }) => {
  fill(world, 20)
  expect((await call('GET', '/v1/apps')).body).toMatchObject({ has_more: false, next_cursor: null })
  expect((await call('GET', '/v1/apps?limit=100')).body.data).toHaveLength(20)
})

testApi('any other limit is 400', async ({ call }) => {
  for (const limit of [
    '',
    '0',
    '-1',
    '101',
    '1000',
    '99999999999999999999',
    '1.0',
    '1e1',
    '0x10',
    '+5',
    '%205',
    'abc',
    'null',
    '%F0%9F%AA%B4',
  ]) {
    const { status, body } = await call('GET', `/v1/apps?limit=${limit}`)
    expect(status, limit).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/^limit /) })
  }
})
