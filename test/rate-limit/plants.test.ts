import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { minuteEnd, rate, spend } from './spend.ts'

testApi('plants have no limit and no such headers', async (client) => {
  await spend(client, 60)
  const { status, headers } = await client.call('GET', '/plants', { key: 'key_free' })
  expect(status).toBe(200)
  expect(rate({ headers })).toEqual({ limit: null, remaining: null, reset: null })
})

testApi("with plants.rate-limits=on plants and apps spend the account's one budget", async (client) => {
  client.world.assume('plants.rate-limits', 'on')
  const reset = String(minuteEnd / 1_000)
  expect(rate(await client.call('GET', '/plants', { key: 'key_free' }))).toEqual({
    limit: '60',
    remaining: '59',
    reset,
  })
  expect(rate(await client.call('GET', '/v1/apps', { key: 'key_free' }))).toEqual({
    limit: '60',
    remaining: '58',
    reset,
  })
  await spend(client, 58)
  const over = await client.call('GET', '/plants', { key: 'key_free' })
  expect(over.status).toBe(429)
  expect(over.body).toEqual({ error: 429, message: expect.any(String) })
  expect(rate(over)).toEqual({ limit: '60', remaining: '0', reset })
  expect(over.headers.has('retry-after')).toBe(true)
})

testApi('with plants.rate-limits=on errors of plants carry the headers too', async ({ call, world }) => {
  world.assume('plants.rate-limits', 'on')
  for (const [method, path, key] of [
    ['GET', '/plants', null],
    ['DELETE', '/plants/x', 'key_free'],
    ['PUT', '/plants', 'key_free'],
  ] as const) {
    const answer = await call(method, path, { key })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(rate(answer).limit, `${method} ${path}`).toBe('60')
  }
})
