import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import fc from 'fast-check'
import type { Greenhouse } from 'greenhouse-mock'
import { testControl, type Controlled, stateOf } from '../support/control.ts'
import { times } from '../support/soak.ts'

const plant = { id: 7, name: 'Fern', account: 'acct_pro' }
const key = { secret: 'key_mine', account: 'acct_pro' }
const pending = {
  id: 'pur_7',
  account: 'acct_pro',
  amount: 5,
  payment_method: 'pm_ok',
  status: 'pending',
}
const purchases = [{ ...pending, created_at: '1h ago', settles_at: 'in 1h' }]
const active = [{ name: 'slow', ms: 5 }, { respond: [{ on: 'apps.list', status: 500 }] }]
const start = {
  seed: 4,
  now: '2026-01-01T00:00:00Z',
  frozen: true,
  assumptions: { 'plants.delete.unknown': '204' },
}
const records = {
  purchases: { put: purchases },
  plants: { replace: [plant] },
  keys: { remove: ['x'], put: [key] },
}
const steps = [
  { request: 'GET /v1/apps', headers: { authorization: 'Bearer key_pro' }, reply: { status: 200 } },
  { snapshot: 'here' },
  { put: { collection: 'plants', record: { ...plant, id: 8 } } },
  { clock: { now: '2026-01-01T02:00:00Z' } },
  { restore: 'here' },
]
const given = {
  case: 1,
  start: { ...start, records, scenarios: ['expired-key:key=key_mine', ...active] },
  steps,
}
const request = { method: 'GET', url: 'http://any/plants' }
const entry = {
  startedDateTime: start.now,
  request,
  response: { status: 200, content: { text: '[]' } },
}

/** Calls that replace something, with a valid body; the body of a case is sent as text. */
const calls: [method: string, path: string, body: unknown][] = [
  ['PUT', '', { ...start, scenarios: active, records: { plants: [plant], purchases } }],
  ['PUT', '/scenarios', { active }],
  ['POST', '/scenarios', { active, place: 0 }],
  ['PATCH', '/clock', { now: start.now, advance: '3h', frozen: false }],
  ['PATCH', '/assumptions', { ...start.assumptions, 'rate-limit.scope': 'key' }],
  ['PUT', '/records/plants', { data: [plant, { ...plant, id: 8 }] }],
  ['PUT', '/records/purchases', { data: purchases }],
  ['PUT', '/records/keys', { data: [key] }],
  ['POST', '/records/purchases', purchases[0]],
  ['PATCH', '/records/plants/101', { name: 'Ivy', account: 'acct_pro' }],
  ['PATCH', '/records/accounts/acct_pro', { plan: 'free' }],
  ['POST', '/accounts/acct_pro/refill', { window: 'day' }],
  [
    'POST',
    '/keys',
    { account: 'acct_pro', scopes: ['plants:read'], expires_at: '2027-01-01T00:00:00Z' },
  ],
  ['PATCH', '/records/keys/fp_325ea83f053c', { revoked: true, expires_at: '2027-01-01T00:00:00Z' }],
  ['POST', '/events', { type: 'app.created', data: { id: 'app_1' }, account: 'acct_pro' }],
  ['PUT', '/case', given],
  ['PUT', '/case', { log: { entries: [entry] } }],
]
const toSent = (path: string, body: unknown) =>
  path === '/case' ? { text: JSON.stringify(body) ?? '' } : body

const valid = { seed: 9, scenarios: [], records: { plants: [] } }
const one = { ...plant, id: 1 }
const app = { id: 'app_1', account: 'acct_pro', name: 'x', created_at: 1, updated_at: 1 }
const scenarios = '/scenarios'
const keys = '/keys'
const plants = '/records/plants'
const pro = '/records/keys/fp_325ea83f053c'
const broken = { purchases: { put: [{ id: 'x' }] } }
const unknown = 'plants.delete.unknown'
const values = '"404", "400", "204"'
const noValue = 'expected a string or a number, received'

/** Calls that are rejected with 400 `invalid_request`, or as they say. */
type Row = [
  method: string,
  path: string,
  body: unknown,
  message: RegExp | string,
  status?: number,
  code?: string,
]
const wrong: Row[] = [
  [
    'PUT',
    '/case',
    { case: 1, start: { records: broken } },
    'start.records.purchases.put.0.account: is missing',
  ],
  [
    'PUT',
    '/case',
    { case: 1, start: { scenarios: [{}] } },
    /start\.scenarios\.0: expected a scenario/,
  ],
  [
    'PUT',
    '/case',
    { case: 1, steps: [{ clear: true }, { restore: 'no' }] },
    /Step 2 of the case can't be repeated/,
  ],
  [
    'PUT',
    '/case',
    { log: { entries: [{ ...entry, response: 5 }] } },
    /1 that cannot be repeated \(response expected a mapping, received 5\)/,
  ],
  ['PUT', '', { ...valid, now: 'yesterday' }, /Failed to read the time "yesterday"/],
  [
    'PUT',
    '',
    { ...valid, scenarios: ['expird-key'] },
    /Did you mean "expired-key"/,
    400,
    'unknown_scenario',
  ],
  [
    'PUT',
    '',
    { ...valid, scenarios: [{ name: 'expired-key', aftr: 1 }] },
    /aftr: there is no such option/,
  ],
  [
    'PUT',
    '',
    { ...valid, assumptions: { 'plants.delete.unknwn': '204' } },
    /Did you mean "plants.delete.unknown"/,
  ],
  ['PUT', '', { ...valid, assumptions: { 'plants.delete.unknown': 'x' } }, /it can be/],
  [
    'PUT',
    '',
    { ...valid, records: { plnts: [] } },
    /Did you mean "plants"/,
    400,
    'unknown_collection',
  ],
  ['PUT', '', { ...valid, records: { plants: [{ ...one, id: 'x' }] } }, /^plants\.0\.id: /],
  [
    'PUT',
    '',
    { ...valid, records: { plants: [{ ...one, account: 'nobody' }] } },
    /no account "nobody"/,
  ],
  ['PUT', '', { ...valid, records: { accounts: [], keys: [key] } }, /no account "acct_pro"/],
  ['PUT', '', { ...valid, sed: 1 }, /^sed: there is no such field.* Did you mean "seed"\?/],
  ['PUT', '', [], /./],
  ['PUT', '', '{"__proto__":{"seed":1}}', /__proto__/],
  ['PUT', '', '{"records":{"__proto__":[]}}', /__proto__/],
  ['PUT', '', '{"assumptions":{"constructor":"x"}}', /constructor/],
  ['PUT', '', '{"records":{"constructor":[]}}', /constructor/, 400, 'unknown_collection'],
  ['PUT', scenarios, { active: ['expired-key', 'nope'] }, /nope/, 400, 'unknown_scenario'],
  ['PUT', scenarios, { active: [{ name: 'constructor' }] }, /constructor/, 400, 'unknown_scenario'],
  ...[{ active: 'expired-key' }, undefined].map((body): Row => ['PUT', scenarios, body, /active/]),
  ...[{ now: 'soon' }, { now: 1e300 }, { advance: 'soon' }].map(toClockRow),
  ...[{ advance: '9999999999d' }, { now: start.now, advance: '9999999999d' }].map(toClockRow),
  ['PUT', plants, { data: [one, { ...one, id: 1.5 }] }, /^plants\.1\.id: /],
  [
    'PUT',
    plants,
    '{"data":[{"id":9223372036854775808,"name":"a","account":"acct_pro"}]}',
    /^plants\.0\.id: /,
  ],
  ['PUT', plants, { data: [one, one] }, /the key "1" exists already/],
  [
    'PUT',
    plants,
    { data: [{ ...one, account: 'nobody' }] },
    /^plants\.0\.account: there is no account "nobody"/,
  ],
  ['PUT', plants, { data: [{ ...one, colour: 'red' }] }, /colour/],
  ['PUT', plants, { data: [null] }, /^plants\.0: /],
  ['PUT', plants, '{"data":[{"__proto__":{"id":1},"name":"a","account":"acct_pro"}]}', /__proto__/],
  [
    'PUT',
    '/records/accounts',
    { data: [{ id: 'a', name: 'A', email: 'e', plan: 'huge' }] },
    /^accounts\.0\.plan: /,
  ],
  ['PUT', '/records/keys', { data: [{ ...key, secret: 'with space' }] }, /^keys\.0\.secret: /],
  [
    'PUT',
    '/records/keys',
    { data: [{ ...key, secret: 'fp_000000000000' }] },
    /no key with the fingerprint/,
  ],
  [
    'PATCH',
    '/records/webhooks/wh_m4t7qzc2xk5wr3nd',
    { secret: 'my-secret' },
    /^\/secret: expected "whsec_" and base64/,
  ],
  ['PUT', '/records/apps', { data: [{ ...app, name: '' }] }, /^apps\.0\.name: /],
  ['PUT', '/records/apps', { data: [{ ...app, created_at: 'soon' }] }, /^apps\.0\.created_at: /],
  ...['plnts', '__proto__', 'constructor', '..%2Fplants'].map(toUnknownRow),
  ['POST', keys, { account: 'acct_fre' }, /acct_fre/],
  ['POST', keys, { account: 'acct_free', scopes: ['all'] }, /scopes/],
  ['POST', keys, { account: 'acct_free', secret: 'mine' }, /secret/],
  ['PATCH', pro, { revoked: 1 }, /revoked/],
  ['PATCH', pro, { expires_at: 'soon' }, /expires_at/],
  ['PATCH', '/records/keys/key_prop', { revoked: true }, /./, 404, 'unknown_record'],
  ['PATCH', '/records/keys/__proto__', { revoked: true }, /./, 404, 'unknown_record'],
  [
    'POST',
    keys,
    { account: 7, scopes: ['x'] },
    'account: expected a string, received 7; scopes.0: expected one',
  ],
  ['POST', '/events', {}, 'type: is missing: expected a string'],
  ['PUT', scenarios, {}, 'active: is missing: expected a list'],
  ['PUT', '', { seed: 'x' }, 'seed: expected a whole number, such as 7, received "x"'],
  ['PUT', '', { seed: 1, pin: true }, 'pin: there is no such field; expected one of seed, now,'],
  ['PUT', '', { seed: 'x', pin: true }, 'received "x"; pin: there is no such field'],
  ['PUT', '', { assumptions: { [unknown]: null } }, `assumptions.${unknown}: ${noValue} null`],
  ['PATCH', '/assumptions', { [unknown]: true }, `${unknown}: ${noValue} true`],
  ['PATCH', '/assumptions', { [unknown]: '205' }, `it can be ${values}. Did you mean "204"?`],
  ['PATCH', '/assumptions', { 'rate-limit.scope': 'account', nope: 'x' }, '"nope"'],
  ['PATCH', '/clock', { frozen: 'yes' }, 'frozen: expected true or false, received "yes"'],
  [
    'PATCH',
    '/clock',
    { advnce: '2h' },
    'expected one of now, advance, frozen. Did you mean "advance"?',
  ],
  ['PATCH', '/clock', [], 'expected an object, received a list'],
  [
    'PATCH',
    '/records/accounts/acct_pr',
    { plan: 'pro' },
    'Did you mean "acct_pro"?',
    404,
    'unknown_record',
  ],
  ['POST', '/accounts/acct_pr/refill', {}, /acct_pr/, 404, 'unknown_account'],
  ['PATCH', '/records/accounts/acct_pro', { plan: 'prp' }, 'Did you mean "pro"?'],
  ['PATCH', '/records/accounts/acct_pro', { pln: 'pro' }, 'Did you mean "plan"?'],
  ['POST', '/reset?hard=1', undefined, 'hard: there is no such field'],
  ['POST', '/reset', { sed: 1 }, 'sed: there is no such field'],
  ['POST', '/reset', [], 'expected an object, received a list'],
  ['POST', '/reset', '"before"', 'expected an object, received "before"'],
  ['POST', '/snapshots/before/restore', [], 'expected an object, received a list'],
  [
    'GET',
    '/records/plants?acount=x',
    undefined,
    'acount: there is no such field; expected one of search,',
  ],
  ['DELETE', '/journal?limit=1', undefined, 'limit: there is no such field'],
  ['DELETE', scenarios, { name: 'slow' }, 'name: there is no such field'],
  ['PUT', '/snapshots/a', { now: 1 }, 'now: there is no such field'],
]

function toClockRow(body: object): Row {
  return ['PATCH', '/clock', body, /./]
}

function toUnknownRow(name: string): Row {
  return ['PUT', `/records/${name}`, { data: [] }, /./, 404, 'unknown_collection']
}

testControl(
  'a rejected call that replaces something changes nothing, and says why',
  async (test) => {
    const { control, greenhouse } = test
    let before = await prepare(test)
    const stateBefore = stateOf(greenhouse)
    for (const [method, path, body, message, status = 400, code = 'invalid_request'] of wrong) {
      const reply = await control(method, `/worlds/default${path}`, toSent(path, body))
      const expected =
        typeof message === 'string'
          ? expect.stringContaining(message)
          : expect.stringMatching(message)
      expect(reply).toMatchObject({ status, body: { error: { code, message: expected } } })
      expectSame(stateOf(greenhouse), stateBefore)
    }
    // A history only grows: once for all of them will do.
    expectSame(wholeOf(greenhouse), before)
    const junk = fc.constantFrom(undefined, null, -1, 1e300, '', 'x', true, [], {}, [null], {
      id: 'x',
    })
    const place = fc.array(fc.nat(20), { maxLength: 6 })
    const value = fc.oneof(junk, fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.constantFrom(...calls), place, value, fc.constantFrom('default', 'new')),
        async ([[method, path, body], steps, value, world]) => {
          const sent = toSent(path, changed(body, steps, value))
          const { status, text } = await control(method, `/worlds/${world}${path}`, sent)
          if (status >= 400)
            expectSame([text, status < 500, wholeOf(greenhouse)], [text, true, before])
          else before = await prepare(test)
        },
      ),
      { numRuns: times(1_000, 15) },
    )
  },
)

/** The comparison of Vitest, which says what differs, takes many times as long. */
function expectSame(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other)
}

async function prepare({ greenhouse, call }: Controlled): Promise<unknown> {
  greenhouse.deleteWorld('new')
  const world = greenhouse.world()
  world.reset({
    frozen: true,
    scenarios: ['slow:ms=1'],
    assumptions: { 'rate-limit.rejected': 'counted' },
  })
  world.snapshot('before')
  await call('/plants', { method: 'POST', body: '{"id":3,"name":"Moss"}' })
  await call('/v1/credits/purchases', {
    method: 'POST',
    body: '{"amount":50,"payment_method":"pm_ok"}',
  })
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

testControl(
  'after a case that failed to open, the history of the world still has moves of its clock',
  async ({ control, greenhouse }) => {
    const text = JSON.stringify({ case: 1, steps: [{ restore: 'no' }] })
    expect((await control('PUT', '/worlds/default/case', { text })).status).toBe(400)
    const now = '2026-02-01T00:00:00Z'
    greenhouse.world().clock.set(now)
    const clock = { now: expect.stringMatching(/^2026-02-01T/), frozen: false }
    expect(greenhouse.world().toCase().steps).toContainEqual(expect.objectContaining({ clock }))
  },
)

const atStep = 'no operation is called "apps.lst". Did you mean "apps.list"?'
const atAccount = 'there is no account "acct_por". Did you mean "acct_pro"?'
const second = [{ status: 500 }, { on: ['apps.lst'], status: 500 }]

/** Choices that are wrong, the place of the mistake in the body, and its message. */
const misplaced: [choice: unknown, path: string, message: string | RegExp][] = [
  [
    { name: 'slow', ms: '1.5s' },
    '/ms',
    'expected a whole number of milliseconds, 0 or more, received "1.5s".',
  ],
  [{ name: 'slow', on: 'plnts.list' }, '/on', /^can't be "plnts.list": .*Did you mean/],
  [
    { name: 'slow', sm: 1 },
    '/sm',
    'there is no such option; expected one of ms, on, account, key, plan, times.',
  ],
  [
    { name: 'purchase-declined', account: 'acct_por' },
    '/account',
    `can't be "acct_por": ${atAccount}`,
  ],
  [
    { respond: [{ status: 500, where: { account: 'acct_por' } }] },
    '/respond/0/where/account',
    atAccount,
  ],
  [{ respond: second }, '/respond/1/on/0', atStep],
  [{ repond: [] }, '/repond', /^there is no such field.*Did you mean "respond"\?/],
]

testControl(
  'a mistake in a scenario is named by its place, and nothing changes',
  async ({ control, greenhouse }) => {
    for (const [choice, path, message] of misplaced) {
      const active = ['flaky', choice]
      const { status, body } = await control('PUT', '/worlds/new/scenarios', { active })
      const expected = typeof message === 'string' ? message : expect.stringMatching(message)
      expect([status, body.error.code]).toEqual([400, 'invalid_request'])
      expect(body.error.errors).toEqual([{ path: `/active/1${path}`, message: expected }])
      expect(body.error.message).toMatch(
        /^Failed to use (an inline scenario|"slow"|"purchase-declined"): /,
      )
    }
    for (const choice of [{}, 5]) {
      const { status, body } = await control('PUT', '/worlds/new/scenarios', { active: [choice] })
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringMatching(/or an inline scenario/),
      ])
    }
    expect(greenhouse.hasWorld('new')).toBe(false)
  },
)

/** Calls of what is not there, and how the messages end. */
const absent: [method: string, path: string, end: string][] = [
  ['GET', '/helth', 'has no GET /__greenhouse/helth. Did you mean "health"?'],
  ['PUT', '/worlds/default/scenaros', 'Did you mean "scenarios"?'],
  ['GET', '/world/default/journal', 'Did you mean "worlds"?'],
  ['PUT', '/worlds/default/journal', ' The path takes GET, DELETE.'],
  ['GET', '/worlds/default/xyz', 'has no GET /__greenhouse/worlds/default/xyz.'],
  ['GET', '/worlds/defalt', 'Did you mean "default"?'],
  [
    'GET',
    '/worlds/default/webhooks/hook_b/grade',
    'has no webhook "hook_b". Did you mean "hook_a"?',
  ],
  ['POST', '/worlds/default/webhooks/x/grade', 'has no webhook "x". It has hook_a.'],
  [
    'DELETE',
    '/worlds/default/records/keys/fp_325ea83f053d',
    'in "keys". Did you mean "fp_325ea83f053c"?',
  ],
]

for (const [method, path, end] of absent)
  testControl(`${method} ${path} is told what is there`, async ({ control, world }) => {
    const { webhooks } = world.records
    const hook = {
      id: 'hook_a',
      account: 'acct_pro',
      app: null,
      url: 'http://127.0.0.1/hook',
      enabled: true,
    }
    webhooks.replace([{ ...hook, events: [], secret: 'whsec_YQ==', created_at: 0, updated_at: 0 }])
    const reply = await control(method, path)
    expect([reply.status, reply.body.error.message.slice(-end.length)]).toEqual([404, end])
  })
