import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { testControl, type Controlled, expectControlError, stateOf } from '../support/control.ts'

type CallRow = readonly [method: string, path: string, body?: unknown]

const key = `/records/keys/${toFingerprint('key_pro')}`
const fern = { id: 77, name: 'Fern', account: 'acct_pro' }

async function change({ control }: Controlled, [method, path, body]: CallRow): Promise<string | null> {
  const reply = await control(method, `/worlds/default${path}`, body)
  expect([path, reply.status, reply.text]).toEqual([path, expect.toSatisfy((status) => status < 300), reply.text])
  return reply.headers.get('x-greenhouse-undo')
}

const undo = ({ control }: Controlled, id?: string | null) =>
  control('POST', '/worlds/default/undo', id ? { change: id } : {})

/** A world with something to change. */
function arrange(world: World): void {
  world.records.plants.create(fern)
  world.use('slow:ms=1')
  world.use('rate-limited-plan')
  world.assume({ 'plants.delete.unknown': '204' })
}

const add: CallRow = ['POST', '/records/plants', { ...fern, id: 78 }]
const rename: CallRow = ['PATCH', '/records/plants/77', { name: 'Ivy' }]
const remove: CallRow = ['DELETE', '/records/plants/77']
const addKey: CallRow = ['POST', '/keys', { account: 'acct_pro' }]
const use = (...active: unknown[]): CallRow => ['POST', '/scenarios', { active }]
const clear: CallRow = ['DELETE', '/scenarios']
const toPlan = (plan: string): CallRow => ['PATCH', '/records/accounts/acct_pro', { plan }]
const assume = (value: string): CallRow => ['PATCH', '/assumptions', { 'plants.delete.unknown': value }]

const changes: readonly (readonly [title: string, call: CallRow])[] = [
  ['a created record', add],
  ['a changed record', ['PATCH', '/records/plants/77', { name: 'Ivy', tag: 'green' }]],
  ['a deleted record', remove],
  ['a deleted account with all that belonged to it', ['DELETE', '/records/accounts/acct_pro?cascade=true']],
  ['a deleted record whose dependents stayed', ['DELETE', '/records/accounts/acct_pro?keep=true']],
  ['a replaced collection', ['PUT', '/records/plants', { data: [{ ...fern, id: 79 }] }]],
  ['a created key', addKey],
  ['a revoked key', ['PATCH', key, { revoked: true, expires_at: '2020-01-01T00:00:00Z' }]],
  ['a deleted key', ['DELETE', key]],
  ['a switched scenario', use('expired-key')],
  ['changed options', use('slow:ms=2')],
  ['another order of the scenarios', ['POST', '/scenarios', { active: ['slow:ms=1'], place: 1 }]],
  ['an inline scenario', use({ respond: [{ on: 'apps.get', status: 503 }] })],
  ['replaced scenarios', ['PUT', '/scenarios', { active: ['expired-key', 'slow:ms=3'] }]],
  ['a switched off scenario', ['DELETE', '/scenarios/slow']],
  ['all scenarios switched off', clear],
  ['an assumption', assume('404')],
]

for (const [title, call] of changes)
  testControl(`undo takes back ${title}`, async (controlled) => {
    const { world, greenhouse } = controlled
    arrange(world)
    const before = stateOf(greenhouse)
    const id = await change(controlled, call)
    expect(id).toMatch(/./)
    expect(stateOf(greenhouse)).not.toEqual(before)
    expect(await undo(controlled, id)).toMatchObject({ status: 204 })
    expect(stateOf(greenhouse)).toEqual(before)
    expectControlError(await undo(controlled, id), 409, 'nothing_to_undo')
  })

const account = { id: 'acct_new', name: 'New', email: 'n@example.com', plan: 'pro' }
const since: readonly (readonly [call: CallRow, then: CallRow, why: RegExp])[] = [
  [add, ['PATCH', '/records/plants/78', { name: 'X' }], /"78" of "plants" was changed again since/],
  [add, ['DELETE', '/records/plants/78'], /"78" of "plants" was deleted since/],
  [rename, ['PATCH', '/records/plants/77', { name: 'X' }], /"77" of "plants" was changed again/],
  [rename, remove, /"77" of "plants" was deleted since/],
  [remove, ['POST', '/records/plants', fern], /"77" of "plants" was created again since/],
  [remove, ['DELETE', '/records/accounts/acct_pro?keep=true'], /account/],
  [['PUT', '/records/plants', { data: [] }], add, /collection "plants" was changed again/],
  [addKey, ['PUT', '/records/keys', { data: [] }], /of "keys" was deleted since/],
  [['POST', '/records/accounts', account], ['POST', '/keys', { account: 'acct_new' }], /refer to "acct_new"/],
  [toPlan('lite'), toPlan('free'), /"acct_pro" of "accounts" was changed again/],
  [use('expired-key'), ['DELETE', '/scenarios/expired-key'], /scenario expired-key was changed again/],
  [clear, use('slow:ms=9'), /scenario slow was changed again/],
  [assume('404'), assume('204'), /plants\.delete\.unknown was changed again/],
  [remove, ['POST', '/reset'], /no such change/],
  [remove, ['POST', '/snapshots/s/restore'], /no such change/],
]

for (const [call, then, why] of since)
  testControl(`undo of ${call[0]} ${call[1]} is rejected after ${then[0]} ${then[1]}`, async (controlled) => {
    arrange(controlled.world)
    controlled.world.snapshot('s')
    const id = await change(controlled, call)
    await change(controlled, then)
    const before = stateOf(controlled.greenhouse)
    const code = /no such/.test(why.source) ? 'nothing_to_undo' : 'changed_since'
    expectControlError(await undo(controlled, id), 409, code, why)
    expect(stateOf(controlled.greenhouse)).toEqual(before)
  })

testControl('undo leaves what others changed next to it', async (controlled) => {
  const { world } = controlled
  arrange(world)
  const renamed = await change(controlled, ['PATCH', '/records/plants/77', { name: 'Ivy' }])
  world.records.plants.update(77, { tag: 'theirs' })
  const cleared = await change(controlled, ['DELETE', '/scenarios/slow'])
  world.use('forbidden')
  for (const id of [renamed, cleared]) expect((await undo(controlled, id)).status).toBe(204)
  expect(world.records.plants.get(77)).toMatchObject({ name: 'Fern', tag: 'theirs' })
  expect(world.active).toMatchObject([{ name: 'slow', ms: 1 }, { name: 'rate-limited-plan' }, { name: 'forbidden' }])
})

testControl('a record whose place in the order was taken since comes back as the newest', async (controlled) => {
  const { plants } = controlled.world.records
  const ids = () => plants.all().map(({ id }) => id)
  const [first] = ids()
  const id = await change(controlled, ['DELETE', `/records/plants/${first}`])
  await change(controlled, ['PUT', '/records/plants', { data: [fern, { ...fern, id: 78 }] }])
  expect((await undo(controlled, id)).status).toBe(204)
  expect(ids()).toEqual([77, 78, first])
})

testControl('undo without an id takes back change after change, the last one first', async (controlled) => {
  const { world } = controlled
  arrange(world)
  for (const name of ['A', 'B', 'C']) await change(controlled, ['PATCH', '/records/plants/77', { name }])
  for (const name of ['B', 'A', 'Fern']) {
    expect((await undo(controlled)).status).toBe(204)
    expect(world.records.plants.get(77)!.name).toBe(name)
  }
  expectControlError(await undo(controlled), 409, 'nothing_to_undo')
})

testControl('a world keeps its last 32 changes, each to take back once', async (controlled) => {
  arrange(controlled.world)
  const ids: (string | null)[] = []
  for (let index = 0; index < 33; index++)
    ids.push(await change(controlled, ['PATCH', '/records/plants/77', { name: `N${index}` }]))
  expect(new Set(ids).size).toBe(33)
  for (let index = 0; index < 32; index++) expect((await undo(controlled)).status).toBe(204)
  expectControlError(await undo(controlled), 409, 'nothing_to_undo', /last 32/)
  expect(controlled.world.records.plants.get(77)!.name).toBe('N0')
})

testControl('what changes nothing, or cannot be taken back, has no id', async (controlled) => {
  arrange(controlled.world)
  for (const call of [
    ['PATCH', '/records/plants/77', { name: 'Fern' }],
    ['PATCH', '/assumptions', { 'plants.delete.unknown': '204' }],
    ['PATCH', '/clock', { advance: '1s' }],
    ['DELETE', '/journal'],
    ['GET', '/records/plants/77'],
  ] as const)
    expect([call, await change(controlled, call)]).toEqual([call, null])
})

testControl('a scenario that stays on keeps its count; one that comes back counts from 0', async (controlled) => {
  const { call } = controlled
  const active = ['plants.list', 'apps.list'].map((on) => ({ respond: [{ on, status: 503, times: 1 }] }))
  await change(controlled, ['PUT', '/scenarios', { active }])
  const statuses = async () => [(await call('/plants')).status, (await call('/v1/apps')).status]
  expect(await statuses()).toEqual([503, 503])
  const [, name] = (await controlled.control('GET', '/worlds/default')).body.scenarios
  await change(controlled, ['DELETE', `/scenarios/${encodeURIComponent(name)}`])
  expect((await undo(controlled)).status).toBe(204)
  expect(await statuses()).toEqual([200, 503])
})

testControl('undo does not create a world', async ({ control, greenhouse }) => {
  expectControlError(await control('POST', '/worlds/none/undo', {}), 404, 'unknown_world')
  expect(greenhouse.hasWorld('none')).toBe(false)
})
