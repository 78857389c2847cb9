import { expect } from 'vitest'
import { testControl, expectControlError, stateOf, expectInvalid } from '../support/control.ts'

const path = '/worlds/default/snapshots'

testControl('a comparison lists what was added, removed and changed', async ({ control, world }) => {
  const { records } = world
  const compare = async () => (await control('GET', `${path}/a/compare`)).body
  records.plants.update(2, { extra: { one: null, other: {} } })
  await control('PUT', `${path}/a`)
  expect(await compare()).toEqual({ data: [] })
  records.plants.create({ id: 9007199254740995n, name: 'n', account: 'acct_pro' })
  records.plants.delete(1)
  records.plants.update(2, { name: 'Other', tag: undefined, extra: { one: {}, other: null } })
  records.keys.update('key_pro', { revoked: true })
  records.apps.update('app_7sm4hb54ca5qj6nu', { description: 'x'.repeat(5_000) })
  const more = { added: 0, removed: 0, changed: 0 }
  const revoked = [{ field: 'revoked', before: null, after: true }]
  const edited = [
    { field: 'name', before: 'Sansevieria trifasciata', after: 'Other' },
    { field: 'tag', before: 'succulent', after: null },
    { field: 'extra', before: { one: null, other: {} }, after: { one: {}, other: null } },
  ]
  const cut = [{ field: 'description', before: 'Reminds people to water', after: 'x'.repeat(1_000) + '…' }]
  const id = expect.stringMatching(/^fp_/)
  const none = { added: [], removed: [] }
  expect(await compare()).toEqual({
    data: [
      { collection: 'keys', ...none, changed: [{ id, fields: revoked }], more },
      {
        collection: 'plants',
        added: ['9007199254740995'],
        removed: ['1'],
        changed: [{ id: '2', fields: edited }],
        more,
      },
      { collection: 'apps', ...none, changed: [{ id: 'app_7sm4hb54ca5qj6nu', fields: cut }], more },
    ],
  })
})

testControl('what is as it was is no difference, however it came back', async ({ call, control, world }) => {
  const { plants } = world.records
  world.assume('plants.create.unknown-fields', 'keep')
  const create = () => call('/plants', { method: 'POST', body: '{"id":9001,"name":"n","height":9007199254740991.4}' })
  await create()
  await control('PUT', `${path}/a`)
  plants.delete(9001)
  expect((await create()).status).toBe(200)
  const before = plants.get(1)!
  plants.delete(1)
  plants.create({ ...before })
  plants.update(2, { name: 'Other' })
  plants.update(2, { name: 'Sansevieria trifasciata' })
  await control('PUT', '/worlds/default/records/apps', (await control('GET', '/worlds/default/records/apps')).text)
  expect((await control('GET', `${path}/a/compare`)).body).toEqual({ data: [] })
})

testControl('a long comparison is cut, and says how much more there is', async ({ control, world }) => {
  const { plants } = world.records
  await control('PUT', `${path}/a`)
  plants.replace(Array.from({ length: 5_000 }, (_, id) => ({ id: 10_000 + id, name: 'n', account: 'acct_pro' })))
  const [{ added, removed, more }] = (await control('GET', `${path}/a/compare?limit=10`)).body.data
  expect([added.length, removed.length, more]).toEqual([10, 10, { added: 4_990, removed: 20, changed: 0 }])
  expect(added[0]).toBe('10000')
  expect((await control('GET', `${path}/a/compare?limit=100000`)).body.data[0].added).toHaveLength(1_000)
})

testControl('a snapshot that is deleted is gone, and gives its memory back', async ({ call, control, world }) => {
  const { memory } = world.core
  const empty = memory.used
  await call('/plants', { headers: { 'x-greenhouse-scenario': 'flaky' } })
  await control('POST', '/worlds/default/reset', { snapshot: 'a' })
  await control('DELETE', `${path}/a`)
  expect(memory.used).toBe(empty)
  await control('PUT', `${path}/b`)
  const once = { 'idempotency-key': 'once' }
  await call('/v1/apps', { method: 'POST', headers: once, body: `{"name":"Once","description":"${'d'.repeat(500)}"}` })
  const before = memory.used
  await control('PUT', `${path}/a`)
  // 2,000 of the world, and the rest of the decision under the key.
  expect(memory.used).toBeGreaterThan(before + 2_500)
  expect(await control('DELETE', `${path}/a`)).toMatchObject({ status: 204, text: '' })
  expect(world.snapshots).toEqual(['b'])
  expect(memory.used).toBe(before)
  for (const [method, below] of Object.entries({ DELETE: '', GET: '/compare', POST: '/restore' }))
    expectControlError(await control(method, `${path}/a${below}`), 404, 'unknown_snapshot', /no snapshot "a"/)
  expect((await control('POST', `${path}/b/restore`)).status).toBe(200)
})

testControl('a reset that takes a snapshot can be undone', async ({ control, call, greenhouse, world }) => {
  const { records } = world
  records.plants.delete(101)
  records.apps.update(records.apps.all()[0]!.id, { name: 'Changed' })
  world.assume('plants.delete.unknown', '204')
  world.use('slow', { ms: 3 })
  world.clock.freeze()
  await call('/v1/apps', { method: 'POST', body: '{"name":"Mine"}', headers: { 'idempotency-key': 'one' } })
  await control('PUT', `${path}/mine`)
  const before = stateOf(greenhouse) as Record<string, unknown>[]
  const { body } = await control('POST', '/worlds/default/reset', { snapshot: 'kept' })
  expect(body).toMatchObject({ snapshots: ['mine', 'kept'], scenarios: [], journal: { size: 0 } })
  expect(records.plants.get(101)).toBeDefined()
  await control('POST', `${path}/kept/restore`)
  expect(stateOf(greenhouse)).toEqual([{ ...before[0], snapshots: ['mine', 'kept'], journal: 0 }])
  // The history began with the reset.
  expect(world.toCase().incomplete).toBe('a snapshot from before the last reset was restored')
  await control('DELETE', `${path}/kept`)
  await control('DELETE', `${path}/mine`)
  expect(world.snapshots).toEqual([])
})

testControl('a reset without one deletes all snapshots, in code too', async ({ control, world }) => {
  for (const reset of [() => control('POST', '/worlds/default/reset'), () => world.reset()]) {
    world.snapshot('mine')
    await reset()
    expect(world.snapshots).toEqual([])
  }
})

testControl('a restore takes a snapshot before, never in the place of its own', async ({ control, world }) => {
  world.snapshot('mine')
  world.records.plants.delete(101)
  const restore = (snapshot: unknown) => control('POST', `${path}/mine/restore`, { snapshot })
  await expectInvalid(restore('mine'), /expected a name other than that of the snapshot to restore/)
  await expectInvalid(restore('a b'), /^snapshot: expected 1 to 64/)
  expect(world.records.plants.get(101)).toBeUndefined()
  expect((await restore('kept')).body.snapshots).toEqual(['mine', 'kept'])
  expect(world.records.plants.get(101)).toBeDefined()
})
