import { expect } from 'vitest'
import { testControl, expectControlError, stateOf, expectInvalid } from '../support/control.ts'

const path = '/worlds/default/snapshots'

testControl(
  'a snapshot that is deleted is gone, and gives its memory back',
  async ({ call, control, world }) => {
    const { memory } = world.core
    const empty = memory.used
    await call('/plants', { headers: { 'x-greenhouse-scenario': 'flaky' } })
    await control('POST', '/worlds/default/reset', { snapshot: 'a' })
    const withA = memory.used
    await control('DELETE', `${path}/a`)
    expect(memory.used).toBeLessThan(withA - 10_000)
    // The state before the control API's reset is kept for an undo, until code resets the world.
    world.reset()
    expect(memory.used).toBe(empty)
    await control('PUT', `${path}/b`)
    const once = { 'idempotency-key': 'once' }
    await call('/v1/apps', {
      method: 'POST',
      headers: once,
      body: `{"name":"Once","description":"${'d'.repeat(500)}"}`,
    })
    const before = memory.used
    await control('PUT', `${path}/a`)
    // 2,000 of the world, and the rest of the decision under the key.
    expect(memory.used).toBeGreaterThan(before + 2_500)
    expect(await control('DELETE', `${path}/a`)).toMatchObject({ status: 204, text: '' })
    expect(world.snapshots).toEqual(['b'])
    // The world remembers that the snapshot was taken.
    expect(memory.used).toBeLessThan(before + 300)
    for (const [method, below] of Object.entries({ DELETE: '', GET: '', POST: '/restore' }))
      expectControlError(
        await control(method, `${path}/a${below}`),
        404,
        'unknown_snapshot',
        /no snapshot "a"/,
      )
    expect((await control('POST', `${path}/b/restore`)).status).toBe(200)
  },
)

testControl(
  'a reset that takes a snapshot can be undone',
  async ({ control, call, greenhouse, world }) => {
    const { records } = world
    records.plants.delete(101)
    records.apps.update(records.apps.all()[0]!.id, { name: 'Changed' })
    world.assume('plants.delete.unknown', '204')
    world.use('slow', { ms: 3 })
    world.clock.freeze()
    await call('/v1/apps', {
      method: 'POST',
      body: '{"name":"Mine"}',
      headers: { 'idempotency-key': 'one' },
    })
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
  },
)

testControl(
  'a reset without one deletes all snapshots, in code too',
  async ({ control, world }) => {
    for (const reset of [() => control('POST', '/worlds/default/reset'), () => world.reset()]) {
      world.snapshot('mine')
      await reset()
      expect(world.snapshots).toEqual([])
    }
  },
)

testControl(
  'a restore takes a snapshot before, never in the place of its own',
  async ({ control, world }) => {
    world.snapshot('mine')
    world.records.plants.delete(101)
    const restore = (snapshot: unknown) => control('POST', `${path}/mine/restore`, { snapshot })
    await expectInvalid(
      restore('mine'),
      /expected a name other than that of the snapshot to restore/,
    )
    await expectInvalid(restore('a b'), /^snapshot: expected 1 to 64/)
    expect(world.records.plants.get(101)).toBeUndefined()
    expect((await restore('kept')).body.snapshots).toEqual(['mine', 'kept'])
    expect(world.records.plants.get(101)).toBeDefined()
  },
)
