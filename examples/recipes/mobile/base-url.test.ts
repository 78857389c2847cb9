import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { toBaseUrl } from './base-url.ts'

test('each platform has its own address of the machine', () => {
  expect(toBaseUrl('android')).toBe('http://10.0.2.2:4010')
  expect(toBaseUrl('ios')).toBe('http://127.0.0.1:4010')
  expect(toBaseUrl('ios', '192.168.1.20')).toBe('http://192.168.1.20:4010')
})

test.each(['10.0.2.2:4010', '192.168.1.20:4010'])('a server answers to %s', async (host) => {
  await using server = await serve(createGreenhouse())
  const headers = { host, authorization: 'Bearer key_pro' }
  const status = await new Promise((resolve) =>
    request(`${server.url}/plants`, { headers }, (reply) =>
      resolve(reply.resume().statusCode),
    ).end(),
  )
  expect(status).toBe(200)
})
