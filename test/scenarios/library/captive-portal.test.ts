import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('a captive portal answers 200 with a page, and nothing is done', async ({ world, send, call }) => {
  world.use('captive-portal')
  const response = await send('/plants/101', { method: 'DELETE', headers: { authorization: 'Bearer key_pro' } })
  expect([response.status, response.headers.get('content-type'), response.headers.has('x-ratelimit-limit')]).toEqual([
    200,
    'text/html; charset=utf-8',
    false,
  ])
  expect(await response.text()).toMatch(/^<!doctype html>/)
  expect(world.records.plants.get(101)).toBeDefined()
  world.use('captive-portal', { on: 'apps.*' })
  expect((await call('GET', '/plants')).headers.get('content-type')).toBe('application/json')
  world.clear()
  expect((await call('GET', '/v1/apps')).body.data).toBeDefined()
})
