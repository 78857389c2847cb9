// Page-like environments replace Headers, Request and AbortController, and hide setImmediate and
// randomUUID.
import { setupServer } from 'msw/node'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { equal, test } from './runner.mjs'

const bases = { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }
const headers = {
  Authorization: 'Bearer key_pro',
  'X-Greenhouse-World': 'other',
  'Content-Type': 'application/json',
}

const hide = () => {
  Reflect.deleteProperty(globalThis, 'setImmediate')
  Object.defineProperty(globalThis.crypto, 'randomUUID', {
    value: undefined,
    configurable: true,
    writable: true,
  })
}

/** Creates and changes an app, and aborts a request, through `send`. */
async function use(send, greenhouse) {
  const created = await send(`${bases.apps}/apps`, {
    method: 'POST',
    headers,
    body: '{"name":"one"}',
  })
  if (!created.ok) return [created.status]
  const { id } = await created.json()
  const changed = await send(`${bases.apps}/apps/${id}`, {
    method: 'PATCH',
    headers,
    body: '{"name":"two"}',
  })
  const { name } = await changed.json()
  const controller = new AbortController()
  const pending = send(`${bases.plants}/plants`, {
    headers: new Headers({ ...headers, 'X-Greenhouse-Scenario': 'timeout' }),
    signal: controller.signal,
  }).then(
    () => 'answered',
    () => 'given up',
  )
  // Waits for the request to arrive.
  while (greenhouse.world('other').journal.calls({ operation: 'plants.list' }).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5))
  controller.abort()
  return [created.status, created.headers.get('x-greenhouse'), changed.status, name, await pending]
}

const right = [201, 'world=other; operation=apps.create', 200, 'two', 'given up']

test('the fetch of the environment, answered by MSW', async () => {
  hide()
  const greenhouse = createGreenhouse()
  const server = setupServer(...createHandlers(greenhouse, bases))
  server.listen()
  equal(await use((url, init) => fetch(url, init), greenhouse), right)
  server.close()
})

test('a Request of the environment, answered by greenhouse.fetch', async () => {
  hide()
  const greenhouse = createGreenhouse()
  const rest = (url) =>
    url
      .replace(bases.apps, 'http://greenhouse.test/v1')
      .replace(bases.plants, 'http://greenhouse.test')
  equal(await use((url, init) => greenhouse.fetch(new Request(rest(url), init)), greenhouse), right)
})

test('a server in the environment', async () => {
  hide()
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) =>
    request(`${server.url}/v1/apps`, { headers, agent: false }, (reply) =>
      resolve(reply.resume().statusCode),
    )
      .on('error', reject)
      .end(),
  )
  equal([status, greenhouse.hasWorld('other')], [200, true])
  await server.close()
})
