import { expect } from 'vitest'
import fc from 'fast-check'
import type { Greenhouse } from 'greenhouse-mock'
import { controlled, stateOf } from '../support/control.ts'

const plant = { id: 7, name: 'Fern', account: 'acct_pro' }
const purchase = { id: 'pur_7', account: 'acct_pro', amount: 5, payment_method: 'pm_ok', status: 'pending' }
const purchases = [{ ...purchase, created_at: '1h ago', settles_at: 'in 1h' }]
const scenarios = ['expired-key:key=key_mine', { name: 'slow', ms: 5 }, { respond: [{ on: 'apps.list', status: 500 }] }]
const start = {
  seed: 4,
  now: '2026-01-01T00:00:00Z',
  frozen: true,
  fixtures_at: '2026-01-01T00:00:00Z',
  records: {
    purchases: { put: purchases },
    plants: { replace: [plant], remove: [101] },
    keys: { put: [key('key_mine')] },
  },
  assumptions: { 'plants.delete.unknown': '204' },
  scenarios,
}
const steps = [
  { request: 'GET /v1/apps', headers: { authorization: 'Bearer key_pro' }, reply: { status: 200 } },
  { snapshot: 'here' },
  { put: { collection: 'plants', record: { ...plant, id: 8 } } },
  { clock: { now: '2026-01-01T02:00:00Z' } },
  { restore: 'here' },
  { remove: { collection: 'plants', key: 7 } },
]
const entry = {
  startedDateTime: '2026-01-01T00:00:00Z',
  request: { method: 'GET', url: 'http://a/plants' },
  response: { status: 200, content: { text: '[]' } },
}
const asText = (given: unknown) => ({ text: JSON.stringify(given) ?? '' })

/** Calls that replace something, with a valid body. */
const calls: [method: string, path: string, body: unknown, write?: (body: unknown) => unknown][] = [
  [
    'PUT',
    '',
    {
      seed: 4,
      now: start.now,
      frozen: true,
      scenarios: ['slow'],
      assumptions: start.assumptions,
      records: { plants: [plant], purchases },
    },
  ],
  ['POST', '/reset', { snapshot: 'undo' }],
  ['PUT', '/scenarios', { active: scenarios.slice(1) }],
  ['POST', '/scenarios', { active: scenarios.slice(1), place: 0 }],
  ['PATCH', '/clock', { now: start.now, advance: '3h', frozen: false }],
  ['PATCH', '/assumptions', { ...start.assumptions, 'rate-limit.scope': 'key' }],
  ['PUT', '/records/plants', { data: [plant, { ...plant, id: 8 }] }],
  ['PUT', '/records/purchases', { data: purchases }],
  ['PUT', '/records/keys', { data: [key('key_mine'), key('key_more')] }],
  ['POST', '/records/purchases', purchases[0]],
  ['PATCH', '/records/plants/101', { name: 'Ivy', account: 'acct_pro' }],
  ['PATCH', '/accounts/acct_pro', { plan: 'free' }],
  ['POST', '/accounts/acct_pro/refill', { window: 'day' }],
  ['POST', '/keys', { account: 'acct_pro', scopes: ['plants:read'], expires_at: '2027-01-01T00:00:00Z' }],
  ['PATCH', '/keys/fp_325ea83f053c', { revoked: true, expires_at: '2027-01-01T00:00:00Z' }],
  ['POST', '/events', { type: 'app.created', data: { id: 'app_1' }, account: 'acct_pro' }],
  ['POST', '/snapshots/before/restore', { snapshot: 'undo' }],
  ['PUT', '/case', { case: 1, start, steps }, asText],
  ['PUT', '/case', { log: { entries: [entry] } }, asText],
]

controlled(
  'a rejected call that replaces something changes nothing, and says why',
  async ({ control, greenhouse, call }) => {
    const world = greenhouse.world()
    const prepare = async () => {
      world.reset({ frozen: true, scenarios: ['slow:ms=1'], assumptions: { 'rate-limit.rejected': 'counted' } })
      world.snapshot('before')
      await call('/plants', { method: 'POST', body: '{"id":3,"name":"Moss"}' })
      await call('/v1/credits/purchases', { method: 'POST', body: '{"amount":50,"payment_method":"pm_ok"}' })
      return wholeOf(greenhouse)
    }
    let before = await prepare()
    const junk = fc.oneof(
      fc.constantFrom(undefined, null, -1, 1e300, '', 'x', true, [], {}, [null], { id: 'x' }),
      fc.jsonValue(),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls),
        fc.array(fc.nat(20), { maxLength: 6 }),
        junk,
        fc.constantFrom('default', 'new'),
        async ([method, path, body, write = (given: unknown) => given], route, value, name) => {
          const sent = write(changed(body, route, value))
          const reply = await control(method, `/worlds/${name}${path}`, sent)
          if (reply.status >= 400) {
            expect([reply.status < 500, reply.text, wholeOf(greenhouse)]).toEqual([true, reply.text, before])
            return
          }
          greenhouse.deleteWorld('new')
          before = await prepare()
        },
      ),
      { numRuns: 3000 },
    )
  },
)

function key(secret: string) {
  return { secret, account: 'acct_pro' }
}

/** Returns a body with another value at a place. */
function changed(body: unknown, [step = 0, ...rest]: number[], value: unknown): unknown {
  const names = Object.keys(typeof body === 'object' ? (body ?? {}) : {})
  if (names.length === 0) return value
  const name = names[step % names.length]!
  const next = rest.length === 0 ? value : changed((body as any)[name], rest, value)
  return Object.assign(Array.isArray(body) ? [...body] : { ...(body as object) }, { [name]: next })
}

/** Returns the state of all worlds, with the history, the quotas and the upcoming work. */
function wholeOf(greenhouse: Greenhouse): unknown {
  const { made: _, ...history } = greenhouse.world().toCase()
  return [stateOf(greenhouse), history]
}
