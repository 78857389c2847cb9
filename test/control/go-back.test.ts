import { expect } from 'vitest'
import { testControl, expectControlError, stateOf } from '../support/control.ts'

const world = '/worlds/default'

testControl(
  'a reset that takes a snapshot can be taken back, whatever the world was asked for in between',
  async ({ control, call, greenhouse }) => {
    const { records } = greenhouse.world()
    records.plants.delete(101)
    records.apps.update(records.apps.all()[0]!.id, { name: 'Changed' })
    greenhouse.world().assume('plants.delete.unknown', '204')
    greenhouse.world().use('slow', { ms: 3 })
    greenhouse.world().clock.freeze()
    await call('/v1/apps', { method: 'POST', body: '{"name":"Mine"}', headers: { 'idempotency-key': 'one' } })
    await control('PUT', `${world}/snapshots/mine`)
    const before = stateOf(greenhouse) as Record<string, unknown>[]
    const { body } = await control('POST', `${world}/reset`, { snapshot: 'kept' })
    expect(body).toMatchObject({ snapshots: ['mine', 'kept'], scenarios: [], journal: { size: 0 } })
    expect(records.plants.get(101)).toBeDefined()
    await control('POST', `${world}/snapshots/kept/restore`)
    expect(stateOf(greenhouse)).toEqual([{ ...before[0], snapshots: ['mine', 'kept'], journal: 0 }])
    // The history began with the reset.
    expect(greenhouse.world().toCase().incomplete).toBe('a snapshot from before the last reset was restored')
    await control('DELETE', `${world}/snapshots/kept`)
    await control('DELETE', `${world}/snapshots/mine`)
    expect(greenhouse.world().snapshots).toEqual([])
  },
)

testControl('a reset without one deletes all snapshots, in code too', async ({ control, greenhouse }) => {
  for (const reset of [() => control('POST', `${world}/reset`), () => greenhouse.world().reset()]) {
    greenhouse.world().snapshot('mine')
    await reset()
    expect(greenhouse.world().snapshots).toEqual([])
  }
})

testControl('a restore takes a snapshot before, never in the place of its own', async ({ control, greenhouse }) => {
  greenhouse.world().snapshot('mine')
  greenhouse.world().records.plants.delete(101)
  const restore = (snapshot: unknown) => control('POST', `${world}/snapshots/mine/restore`, { snapshot })
  expectControlError(
    await restore('mine'),
    400,
    'invalid_request',
    /expected a name other than that of the snapshot to restore/,
  )
  expectControlError(await restore('a b'), 400, 'invalid_request', /^snapshot: expected 1 to 64/)
  expect(greenhouse.world().records.plants.get(101)).toBeUndefined()
  expect((await restore('kept')).body.snapshots).toEqual(['mine', 'kept'])
  expect(greenhouse.world().records.plants.get(101)).toBeDefined()
})
