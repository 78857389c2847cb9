import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('invalid-utf8 spoils one byte, which only a strict reader notices', async ({ world, send, call }) => {
  const whole = Buffer.from((await call('GET', '/plants')).text)
  world.use('invalid-utf8', { on: 'plants.list' })
  const response = await send('/plants', { headers: { authorization: 'Bearer key_pro' } })
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
    200,
    'application/json',
    String(whole.length),
  ])
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError)
  expect([...bytes].flatMap((byte, at) => (byte === whole[at] ? [] : [byte]))).toEqual([0xff])
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/plants')).text).toBe(whole.toString())
})
