import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { defineOperation, definePlugin } from 'greenhouse-mock/config'
import { createWithWorld } from 'greenhouse-mock/testing'
import { listen } from '../support/listen.ts'
import { expectOutput } from '../support/output.ts'

test('paths without an operation are left to the handlers of a test, and deliveries to its receivers', async () => {
  const server = setupServer(
    http.get('http://apps.test/*/mine', () => HttpResponse.text('mine')),
    http.get('http://apps.test/*/apps', () => HttpResponse.text('never')),
    http.head('http://apps.test/*/apps', () => new HttpResponse(null, { status: 299 })),
    http.post('http://hooks.test/', () => HttpResponse.text('caught')),
  )
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  await using receiver = await listen((_, response) => response.end('arrived'))
  const inWorld = createWithWorld({ apps: 'http://apps.test/v1', server, strict: false })
  await inWorld(async ({ api }) => {
    const textOf = async (url: string, init: RequestInit = {}) => {
      const headers = { authorization: 'Bearer key_pro', 'user-agent': 'Greenhouse-Webhooks/1' }
      return (await fetch(url, { headers, ...init })).text()
    }
    expect(await textOf(`${api.appsUrl}/mine`)).toBe('mine')
    expect(await textOf(`${api.appsUrl}/apps`)).toContain('"data":')
    expect((await fetch(`${api.appsUrl}/apps`, { method: 'HEAD' })).status).toBe(401)
    expect(await textOf(`${api.appsUrl}/none`)).toContain('The path does not exist.')
    expect(await textOf('http://hooks.test/', { method: 'POST' })).toBe('caught')
    expect(await textOf(receiver.url, { method: 'POST' })).toBe('arrived')
  })()
})

test('an area of yours takes no path but its own below the base of plants', async () => {
  const server = setupServer()
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  const read = defineOperation({
    id: 'sensors.read',
    method: 'GET',
    path: '/all',
    handle: () => ({ degrees: 21 }),
  })
  const sensors = definePlugin({
    name: 'our-sensors',
    areas: [{ name: 'sensors', base: '/sensors' }],
    operations: [read],
  })
  const options = { areas: ['apps'], plugins: [sensors] } as const
  const bases = { plants: 'http://shop.test', apps: 'http://apps.test/v1' }
  const inWorld = createWithWorld({ ...options, ...bases, server, strict: true } as never)
  await inWorld(async ({ api }: any) => {
    const headers = { authorization: `Bearer ${api.key('key_pro')}` }
    const reply = await fetch('http://shop.test/sensors/all', { headers })
    expect(await reply.json()).toEqual({ degrees: 21 })
    await expect(fetch('http://shop.test/orders', { headers })).rejects.toThrow()
    expectOutput(/without a matching request handler/)
  })()
})
