import { expect } from 'vitest'
import { createCaller, testApi } from '../../support/test-api.ts'

testApi('truncated-json arrives whole by its length and breaks off in its JSON', async ({ world, send, call }) => {
  world.use('truncated-json', { on: 'plants.list' })
  const response = await send('/plants', { headers: { authorization: 'Bearer key_pro' } })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '20'])
  const text = await response.text()
  expect(text).toHaveLength(20)
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect((await call('GET', '/v1/apps')).body.data).toBeDefined()
  world.clear()
  expect(Array.isArray((await call('GET', '/plants')).body)).toBe(true)
})

testApi('truncated-json carries out the request, and cuts the body at the given byte', async ({ world, send }) => {
  const whole = await createCaller(send)('GET', '/plants')
  world.use('truncated-json', { bytes: 5 })
  const init = { method: 'DELETE', headers: { authorization: 'Bearer key_pro' } }
  expect((await send('/plants/101', init)).ok).toBe(true)
  expect(world.records.plants.get(101)).toBeUndefined()
  world.reset()
  world.use('truncated-json', { bytes: Buffer.byteLength(whole.text) })
  expect(await (await send('/plants', { headers: init.headers })).text()).toBe(whole.text)
})
