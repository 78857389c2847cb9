import type { Greenhouse, World } from 'greenhouse-mock'
import { createCaller, start, type CallOptions } from '../support/test-api.ts'

/** Calls a world of a Greenhouse without a server. */
export function callerOf(greenhouse: Greenhouse, world = 'default') {
  return createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test/~${world}${path}`, init)))
}

/** Stops the clock where tests begin. */
export function standStill(world: World): void {
  world.clock.freeze()
  world.clock.set(start)
}

const app = { name: 'probe' }
const requests: [method: string, path: string, options?: CallOptions][] = [
  ['GET', '/plants'],
  ['POST', '/plants', { body: { id: 9_001, name: 'Probe' } }],
  ['POST', '/plants', { body: { id: 101, name: 'Taken' } }],
  ['DELETE', '/plants/102'],
  ['GET', '/plants?limit=3', { key: 'key_free' }],
  ['GET', '/v1/apps?limit=2'],
  ['GET', '/v1/apps?limit=1', { key: 'key_free' }],
  ['POST', '/v1/apps', { body: app, headers: { 'idempotency-key': 'k1' } }],
  ['POST', '/v1/apps', { body: { name: 'other' }, headers: { 'idempotency-key': 'k2' } }],
  ['POST', '/v1/apps', { body: app, key: 'key_free' }],
  ['PATCH', '/v1/apps/app_w33c4cwmhfyfktiv', { body: { name: 'renamed' } }],
  ['DELETE', '/v1/apps/app_wfr4wqydlhx43ree'],
  ['GET', '/v1/apps', { key: 'key_expired' }],
  ['GET', '/v1/apps', { key: 'key_readonly' }],
  ['GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } }],
  ['GET', '/v1/nothing'],
  ['GET', '/plant', { key: null }],
  ['GET', '/v1/apps', { key: 'key_lite' }],
]

/** All that can be seen of a world, and all that it answers to a fixed history; it writes. */
export async function probe(greenhouse: Greenhouse, world: World) {
  const before = look(world)
  const call = callerOf(greenhouse, world.name)
  const replies: unknown[] = []
  const send = async (method: string, path: string, options?: CallOptions) => {
    const { status, headers, text } = await call(method, path, options)
    replies.push({ method, path, status, headers: [...headers], text })
    return text
  }
  for (const request of requests) await send(...request)
  const created = JSON.parse(await send('POST', '/v1/apps', { body: app }))
  await send('GET', `/v1/apps/${created.id}`)
  world.clock.advance('1m')
  await send('GET', '/v1/apps?limit=1')
  return { before, replies, after: look(world), journal: world.journal.calls().map(({ ms: _ms, ...entry }) => entry) }
}

/** Returns the visible state of a world. */
export function look(world: World) {
  const { clock, records, scenarios, assumptions, snapshots, seed } = world
  const { accounts, keys, plants, apps } = records
  return {
    now: clock.now(),
    frozen: clock.frozen,
    records: [accounts.all(), keys.all(), plants.all(), apps.all()],
    scenarios: [...scenarios],
    assumptions,
    snapshots: [...snapshots],
    seed,
  }
}
