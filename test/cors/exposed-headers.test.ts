import { expect } from 'vitest'
import type { ScenarioChoice } from 'greenhouse-mock'
import { defineOperation } from 'greenhouse-mock/config'
import { throughOwn, type CallOptions } from '../support/through.ts'

const origin = 'http://localhost:5173'
const operations = [
  defineOperation({ id: 'plants.water', method: 'GET', path: '/plants/{id}/water', handle: () => ({}) }),
]

/** What a page may read of every reply, what the browser keeps, and what Node adds to a connection. */
const unlisted =
  /^(cache-control|content-.*|expires|last-modified|pragma|set-cookie|vary|access-control-.*|connection|keep-alive)$/

const stub = (headers: Record<string, string>, more: object = {}): ScenarioChoice => ({
  respond: [{ on: 'apps.list', status: 200, body: {}, headers, ...more }],
})
const fault = (fault: object): ScenarioChoice => ({ fault: [{ on: 'apps.list', ...fault } as never] })

const rows: [
  reply: string,
  scenario: ScenarioChoice | undefined,
  names: string[],
  asked?: CallOptions & { path: string },
][] = [
  ['the API', undefined, ['x-ratelimit-limit', 'x-ratelimit-reset', 'x-request-id', 'x-greenhouse', 'date']],
  ['an error', undefined, ['x-request-id'], { path: '/v1/nowhere' }],
  ['a missing key', undefined, ['x-greenhouse'], { path: '/plants', key: null }],
  ['a wrong scenario', undefined, ['x-greenhouse'], { path: '/plants', headers: { 'x-greenhouse-scenario': 'no' } }],
  ['an operation of your own', undefined, ['x-greenhouse'], { path: '/plants/1/water' }],
  ['a stub', stub({ 'X-Total': '3', etag: '"1"', 'Set-Cookie': 'a=b' }), ['x-total', 'etag']],
  [
    'a stub of an error',
    stub({ 'Retry-After': '5' }, { body: undefined, error: 'rate_limit_exceeded' }),
    ['retry-after'],
  ],
  ['a proxy', stub({ Via: '1.1 proxy' }, { in_front: true }), ['via']],
  ['a scenario that sets headers', fault({ kind: 'headers', set: { 'X-Set': '1' } }), ['x-set']],
  ['a cache', fault({ kind: 'stale' }), ['age']],
]

for (const [reply, scenario, names, { path, ...asked } = { path: '/v1/apps' }] of rows)
  throughOwn(
    `a page may read all headers of ${reply}`,
    async ({ call, world }) => {
      if (scenario !== undefined) world.use(scenario)
      const ask = { ...asked, headers: { origin, ...asked.headers } }
      await call('GET', path, ask)
      const { headers } = await call('GET', path, ask)
      const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
      expect(exposed).toEqual(expect.arrayContaining(names))
      expect(exposed.toSorted()).toEqual([...headers.keys()].filter((name) => !unlisted.test(name)))
    },
    { operations },
  )

const cors = 'access-control-'
const written: [scenario: ScenarioChoice, expected: Record<string, string | null>][] = [
  [stub({ VARY: 'Accept', 'X-Total': '3' }), { vary: 'Accept', [`${cors}allow-origin`]: origin }],
  [stub({ [`${cors}allow-origin`]: '*', vary: '*' }), { [`${cors}allow-origin`]: '*', vary: '*' }],
  [stub({ 'ACCESS-CONTROL-ALLOW-CREDENTIALS': 'false' }), { [`${cors}allow-credentials`]: 'false' }],
  [stub({ [`${cors}expose-headers`]: 'X-Total' }), { [`${cors}expose-headers`]: 'X-Total' }],
  [
    fault({ kind: 'headers', remove: [`${cors}expose-headers`, 'VARY'] }),
    { [`${cors}expose-headers`]: null, vary: null },
  ],
  [fault({ kind: 'headers', set: { [`${cors}Expose-Headers`]: 'X-Set' } }), { [`${cors}expose-headers`]: 'X-Set' }],
]

for (const [scenario, expected] of written)
  throughOwn(
    `CORS headers of a scenario are sent as they are: ${JSON.stringify(expected)}`,
    async ({ call, world }) => {
      world.use(scenario)
      const { headers } = await call('GET', '/v1/apps', { headers: { origin } })
      expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected)
    },
  )
