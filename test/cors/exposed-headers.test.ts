import { expect } from 'vitest'
import type { ScenarioChoice } from 'greenhouse-mock'
import { defineOperation } from 'greenhouse-mock/config'
import { adapters } from '../support/adapters.ts'
import { testApi } from '../support/test-api.ts'

const headers = { origin: 'http://localhost:5173' }
const operations = [
  defineOperation({ id: 'plants.water', method: 'GET', path: '/plants/{id}/water', handle: () => ({}) }),
]

/** What every page may read, what none may, and what Node adds to a connection. */
const unlisted =
  /^(cache-control|content-.*|expires|last-modified|pragma|set-cookie|vary|access-control-.*|connection|keep-alive)$/

const stub = (sent: Record<string, string>, more?: object): ScenarioChoice => ({
  respond: [{ status: 200, body: {}, headers: sent, ...more }],
})

const rows: [reply: string, path: string, names: string[], scenario?: ScenarioChoice][] = [
  ['the API', '/v1/apps', ['x-ratelimit-limit', 'x-ratelimit-reset', 'x-request-id', 'x-greenhouse', 'date']],
  ['an error', '/v1/nowhere', ['x-request-id', 'x-greenhouse']],
  ['a wrong world', '/~a!b/plants', ['date']],
  ['an operation of your own', '/plants/1/water', ['x-greenhouse']],
  ['a stub', '/v1/apps', ['x-total', 'etag'], stub({ 'X-Total': '3', etag: '"1"', 'Set-Cookie': 'a=b' })],
  ['a proxy', '/v1/apps', ['via'], stub({ Via: '1.1 proxy' }, { in_front: true })],
  ['a scenario', '/v1/apps', ['x-set'], { fault: [{ kind: 'headers', set: { 'X-Set': '1' } }] }],
  ['a cache', '/v1/apps', ['age'], { fault: [{ kind: 'stale' }] }],
]

for (const [reply, path, names, scenario] of rows)
  testApi(
    `a page may read all headers of ${reply}`,
    { operations },
    async ({ send, world }) => {
      if (scenario) world.use(scenario)
      // The second may come from a cache.
      await send(path, { headers: { ...headers, authorization: 'Bearer key_pro' } })
      const reply = await send(path, { headers: { ...headers, authorization: 'Bearer key_pro' } })
      const exposed = reply.headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
      expect(exposed).toEqual(expect.arrayContaining(names))
      expect(exposed.toSorted()).toEqual([...reply.headers.keys()].filter((name) => !unlisted.test(name)))
    },
    adapters,
  )

const own = { VARY: 'Accept', 'access-control-allow-origin': '*', 'ACCESS-CONTROL-expose-headers': 'X-Total' }

testApi("a stub's own CORS headers and Vary win, once, and a scenario may remove them", {}, async ({ call, world }) => {
  const read = async () => {
    const reply = await call('GET', '/v1/apps', { headers })
    return Object.keys(own).map((name) => reply.headers.get(name))
  }
  world.use(stub(own))
  expect(await read()).toEqual(Object.values(own))
  world.useOnly([{ fault: [{ kind: 'headers', remove: Object.keys(own) }] }])
  expect(await read()).toEqual([null, null, null])
})
