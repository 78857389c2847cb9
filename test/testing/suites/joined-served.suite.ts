import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createTest } from 'greenhouse-mock/vitest'
import { ask, server, strategy } from './team-server.ts'

beforeAll(() => server.listen(strategy('error')))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const test = createTest({ server, strict: true })

for (let index = 0; index < 5; index++)
  test.concurrent('the server of the tests is reached, which the handlers of the team know nothing of', async ({
    api,
    world,
    expect,
  }) => {
    expect((await ask(`${api.appsUrl}/apps`, 'key_pro')).trace).toBe(`world=${world.name}; operation=apps.list`)
    expect((await ask(`${api.plantsUrl}/plants`, 'key_pro')).status).toBe(200)
  })

test('a delivery reaches a receiver that the handlers of the team know nothing of', async ({ api, world, expect }) => {
  const received: string[] = []
  const receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume()
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const send = (path: string, body: object) =>
    fetch(api.appsUrl + path, {
      method: 'POST',
      headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send('/webhooks', { url: `http://127.0.0.1:${port}/hook`, events: ['app.created'] })
  expect((await send('/apps', { name: 'helper' })).status).toBe(201)
  await world.settled()
  receiver.close()
  receiver.closeAllConnections()
  expect(received).toHaveLength(1)
})
