import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { start } from '../support/test-api.ts'

type Due = { at: string; kind: string; title: string; subject?: { collection: string; id: string } }

testControl('a purchase is due as long as it is pending, at the time that it settles', async (controlled) => {
  const { control, call, greenhouse } = controlled
  const world = greenhouse.world()
  world.clock.freeze()
  world.clock.set(start)
  const buy = async () => {
    const body = JSON.stringify({ amount: 10, payment_method: 'pm_ok' })
    return (await call('/v1/credits/purchases', { method: 'POST', body })).json() as Promise<{ id: string }>
  }
  const dueOf = async (id: string) =>
    ((await control('GET', '/worlds/default/due?limit=1000')).body.data as Due[]).filter(
      ({ subject }) => subject?.id === id,
    )
  const [settles, changed, moved] = [await buy(), await buy(), await buy()]
  const due = (id: string) => [
    {
      at: '2026-03-01T12:00:33.000Z',
      kind: 'settlement',
      title: `The purchase ${id} of 10 credits settles`,
      subject: { collection: 'purchases', id },
    },
  ]
  for (const { id } of [settles, changed, moved]) expect(await dueOf(id)).toEqual(due(id))
  world.records.purchases.update(changed.id, { status: 'failed' })
  world.records.purchases.update(moved.id, { settles_at: Date.parse(start) + 60_000 })
  expect(await dueOf(settles.id)).toEqual(due(settles.id))
  expect(await dueOf(changed.id)).toEqual([])
  expect((await dueOf(moved.id)).map(({ at }) => at)).not.toContain('2026-03-01T12:00:33.000Z')
  world.clock.advance('10s')
  expect(await dueOf(settles.id)).toEqual([])
})
