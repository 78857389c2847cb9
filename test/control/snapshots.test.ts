import { expect } from 'vitest'
import { testControl, expectControlError } from '../support/control.ts'

const path = '/worlds/default/snapshots'

testControl(
  'a snapshot that is deleted is gone, and gives its memory back',
  async ({ call, control, world }) => {
    const { memory } = world.core
    const empty = memory.used
    await call('/plants', { headers: { 'x-greenhouse-scenario': 'flaky' } })
    await control('PUT', `${path}/a`)
    const withA = memory.used
    await control('DELETE', `${path}/a`)
    expect(memory.used).toBeLessThan(withA - 10_000)
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

testControl('a reset deletes all snapshots, in code too', async ({ control, world }) => {
  for (const reset of [() => control('POST', '/worlds/default/reset'), () => world.reset()]) {
    world.snapshot('mine')
    await reset()
    expect(world.snapshots).toEqual([])
  }
})
