import { expect } from 'vitest'
import fc from 'fast-check'
import type { Greenhouse } from 'greenhouse-mock'
import { controlled, stateOf } from '../support/control.ts'
import { times } from '../support/soak.ts'

const plant = { id: 7, name: 'Fern', account: 'acct_pro' }
const key = { secret: 'key_mine', account: 'acct_pro' }
const pending = { id: 'pur_7', account: 'acct_pro', amount: 5, payment_method: 'pm_ok', status: 'pending' }
const purchases = [{ ...pending, created_at: '1h ago', settles_at: 'in 1h' }]
const active = [{ name: 'slow', ms: 5 }, { respond: [{ on: 'apps.list', status: 500 }] }]
const start = { seed: 4, now: '2026-01-01T00:00:00Z', frozen: true, assumptions: { 'plants.delete.unknown': '204' } }
const records = { purchases: { put: purchases }, plants: { replace: [plant] }, keys: { remove: ['x'], put: [key] } }
const steps = [
  { request: 'GET /v1/apps', headers: { authorization: 'Bearer key_pro' }, reply: { status: 200 } },
  { snapshot: 'here' },
  { put: { collection: 'plants', record: { ...plant, id: 8 } } },
  { clock: { now: '2026-01-01T02:00:00Z' } },
  { restore: 'here' },
]
const given = { case: 1, start: { ...start, records, scenarios: ['expired-key:key=key_mine', ...active] }, steps }
const request = { method: 'GET', url: 'http://any/plants' }
const entry = { startedDateTime: start.now, request, response: { status: 200, content: { text: '[]' } } }

/** Calls that replace something, with a valid body; the body of a case is sent as text. */
const calls: [method: string, path: string, body: unknown][] = [
  ['PUT', '', { ...start, scenarios: active, records: { plants: [plant], purchases } }],
  ['POST', '/reset', { snapshot: 'undo' }],
  ['PUT', '/scenarios', { active }],
  ['POST', '/scenarios', { active, place: 0 }],
  ['PATCH', '/clock', { now: start.now, advance: '3h', frozen: false }],
  ['PATCH', '/assumptions', { ...start.assumptions, 'rate-limit.scope': 'key' }],
  ['PUT', '/records/plants', { data: [plant, { ...plant, id: 8 }] }],
  ['PUT', '/records/purchases', { data: purchases }],
  ['PUT', '/records/keys', { data: [key] }],
  ['POST', '/records/purchases', purchases[0]],
  ['PATCH', '/records/plants/101', { name: 'Ivy', account: 'acct_pro' }],
  ['PATCH', '/accounts/acct_pro', { plan: 'free' }],
  ['POST', '/accounts/acct_pro/refill', { window: 'day' }],
  ['POST', '/keys', { account: 'acct_pro', scopes: ['plants:read'], expires_at: '2027-01-01T00:00:00Z' }],
  ['PATCH', '/keys/fp_325ea83f053c', { revoked: true, expires_at: '2027-01-01T00:00:00Z' }],
  ['POST', '/events', { type: 'app.created', data: { id: 'app_1' }, account: 'acct_pro' }],
  ['POST', '/snapshots/before/restore', { snapshot: 'undo' }],
  ['PUT', '/case', given],
  ['PUT', '/case', { log: { entries: [entry] } }],
]
const toSent = (path: string, body: unknown) => (path === '/case' ? { text: JSON.stringify(body) ?? '' } : body)

const wrong: [body: object, message: string][] = [
  [{ case: 1, start: { records: { purchases: { put: [{ id: 'x' }] } } } }, 'start.records.purchases.put.0.account: is'],
  [{ case: 1, start: { scenarios: [{}] } }, 'start.scenarios.0: expected a scenario'],
  [{ case: 1, steps: [{ clear: true }, { restore: 'nope' }] }, "Step 2 of the case can't be repeated"],
  [{ log: { entries: [{ ...entry, response: 5 }] } }, 'log.entries.0.response: expected a mapping'],
]

controlled('a rejected call that replaces something changes nothing, and says why', async (test) => {
  const { control, greenhouse } = test
  let before = await prepare(test)
  for (const [body, message] of wrong) {
    const reply = await control('PUT', '/worlds/default/case', toSent('/case', body))
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)])
    expect(wholeOf(greenhouse)).toEqual(before)
  }
  const junk = fc.constantFrom(undefined, null, -1, 1e300, '', 'x', true, [], {}, [null], { id: 'x' })
  const place = fc.array(fc.nat(20), { maxLength: 6 })
  const value = fc.oneof(junk, fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(fc.constantFrom(...calls), place, value, fc.constantFrom('default', 'new')),
      async ([[method, path, body], steps, value, world]) => {
        const sent = toSent(path, changed(body, steps, value))
        const { status, text } = await control(method, `/worlds/${world}${path}`, sent)
        if (status >= 400) expect([text, status < 500, wholeOf(greenhouse)]).toEqual([text, true, before])
        else before = await prepare(test)
      },
    ),
    { numRuns: times(1_000, 50) },
  )
})

async function prepare({ greenhouse, call }: Parameters<Parameters<typeof controlled>[1]>[0]): Promise<unknown> {
  greenhouse.deleteWorld('new')
  const world = greenhouse.world()
  world.reset({ frozen: true, scenarios: ['slow:ms=1'], assumptions: { 'rate-limit.rejected': 'counted' } })
  world.snapshot('before')
  await call('/plants', { method: 'POST', body: '{"id":3,"name":"Moss"}' })
  await call('/v1/credits/purchases', { method: 'POST', body: '{"amount":50,"payment_method":"pm_ok"}' })
  return wholeOf(greenhouse)
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
