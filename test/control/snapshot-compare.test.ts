import { expect } from 'vitest'
import { liveOf } from '../../src/api/world.ts'
import { testControl, expectControlError } from '../support/control.ts'

const path = '/worlds/default/snapshots'

testControl(
  'a comparison tells what was added, removed and changed since a snapshot, field by field',
  async ({ control, greenhouse }) => {
    const { records } = greenhouse.world()
    records.plants.update(2, { extra: { one: null, other: {} } })
    await control('PUT', `${path}/a`)
    expect((await control('GET', `${path}/a/compare`)).body).toEqual({ data: [] })
    records.plants.create({ id: 9007199254740995n, name: 'n', account: 'acct_pro' })
    records.plants.delete(1)
    records.plants.update(2, { name: 'Other', tag: undefined, extra: { one: {}, other: null } })
    records.keys.update('key_pro', { revoked: true })
    records.apps.update('app_7sm4hb54ca5qj6nu', { description: 'x'.repeat(5_000) })
    expect((await control('GET', `${path}/a/compare`)).body).toEqual({
      data: [
        {
          collection: 'keys',
          added: [],
          removed: [],
          changed: [{ id: expect.stringMatching(/^fp_/), fields: [{ field: 'revoked', before: null, after: true }] }],
          more: { added: 0, removed: 0, changed: 0 },
        },
        {
          collection: 'plants',
          added: ['9007199254740995'],
          removed: ['1'],
          changed: [
            {
              id: '2',
              fields: [
                { field: 'name', before: 'Sansevieria trifasciata', after: 'Other' },
                { field: 'tag', before: 'succulent', after: null },
                { field: 'extra', before: { one: null, other: {} }, after: { one: {}, other: null } },
              ],
            },
          ],
          more: { added: 0, removed: 0, changed: 0 },
        },
        expect.objectContaining({
          collection: 'apps',
          changed: [
            {
              id: 'app_7sm4hb54ca5qj6nu',
              fields: [{ field: 'description', before: 'Reminds people to water', after: 'x'.repeat(1_000) + '…' }],
            },
          ],
        }),
      ],
    })
  },
)

testControl('what is as it was is no difference, however it came back', async ({ call, control, greenhouse }) => {
  const { plants } = greenhouse.world().records
  greenhouse.world().assume('plants.create.unknown-fields', 'keep')
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

testControl('a long comparison is cut, and says how much more there is', async ({ control, greenhouse }) => {
  const { plants } = greenhouse.world().records
  await control('PUT', `${path}/a`)
  plants.replace(Array.from({ length: 5_000 }, (_, id) => ({ id: 10_000 + id, name: 'n', account: 'acct_pro' })))
  const [{ added, removed, more }] = (await control('GET', `${path}/a/compare?limit=10`)).body.data
  expect([added.length, removed.length, more]).toEqual([10, 10, { added: 4_990, removed: 20, changed: 0 }])
  expect(added[0]).toBe('10000')
  expect((await control('GET', `${path}/a/compare?limit=100000`)).body.data[0].added).toHaveLength(1_000)
})

testControl('a snapshot that is deleted is gone, and gives its memory back', async ({ call, control, greenhouse }) => {
  const { memory } = liveOf(greenhouse.world())
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
  expect(greenhouse.world().snapshots).toEqual(['b'])
  expect(memory.used).toBe(before)
  for (const [method, place] of [
    ['DELETE', 'a'],
    ['GET', 'a/compare'],
    ['POST', 'a/restore'],
  ] as const)
    expectControlError(await control(method, `${path}/${place}`), 404, 'unknown_snapshot', /no snapshot "a"/)
  expect((await control('POST', `${path}/b/restore`)).status).toBe(200)
})
