import { expect } from 'vitest'
import fc from 'fast-check'
import { testControl } from '../support/control.ts'
import { start } from '../support/test-api.ts'

const base = '/worlds/default'
const hour = 3_600_000

interface Purchase {
  id: string
  amount: number
  status: string
  settles_at?: number
}

/** A naive model: plants, purchases that settle, and the clock. */
class Model {
  now = Date.parse(start)
  plants = new Map<number, string>()
  purchases = new Map<string, Purchase>()
  purchased = 0

  advanceTo(now: number): void {
    this.now = now
    for (const purchase of this.purchases.values())
      if (purchase.status === 'pending' && purchase.settles_at! <= now) {
        purchase.status = 'succeeded'
        delete purchase.settles_at
        this.purchased += purchase.amount
      }
  }

  /** When something settles next. */
  get next(): number | undefined {
    const times = [...this.purchases.values()].flatMap(({ settles_at }) => settles_at ?? [])
    return times.length === 0 ? undefined : Math.min(...times)
  }

  copy(): Model {
    return Object.assign(new Model(), structuredClone({ ...this }))
  }
}

const id = fc.integer({ min: 1, max: 6 })
const hours = fc.integer({ min: 0, max: 5 })
const name = fc.constantFrom('a', 'b')
const step = fc.oneof(
  fc.record({ kind: fc.constant('post'), id, name }),
  fc.record({ kind: fc.constant('patch'), id, name }),
  fc.record({ kind: fc.constant('delete'), id }),
  fc.record({ kind: fc.constant('buy'), id, hours: hours.map((count) => count + 1) }),
  fc.record({ kind: fc.constant('postpone'), id, hours: hours.map((count) => count + 1) }),
  fc.record({ kind: fc.constant('drop'), id }),
  fc.record({ kind: fc.constant('advance'), hours }),
  fc.record({ kind: fc.constant('next') }),
  fc.record({ kind: fc.constant('snapshot'), name }),
  fc.record({ kind: fc.constant('restore'), name }),
  fc.record({ kind: fc.constant('forget'), name }),
  fc.record({ kind: fc.constant('compare'), name }),
)
type Step = { kind: string; id: number; name: string; hours: number }

testControl('edits, clock moves, snapshots and comparisons match a naive model', async ({ control, world }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step as fc.Arbitrary<Step>, { maxLength: 30 }), async (steps) => {
      world.reset()
      for (const records of Object.values(world.records)) records.replace([])
      world.records.accounts.create({ id: 'acct', name: 'A', email: 'a', plan: 'free' })
      world.clock.freeze()
      world.clock.set(start)
      let model = new Model()
      const snapshots = new Map<string, Model>()
      for (const { kind, id, name, hours } of steps) {
        const plant = { id, name, account: 'acct' }
        const purchase = `pur_${id}`
        const call = async (expected: number, method: string, path: string, body?: unknown) => {
          const { status, body: reply } = await control(method, base + path, body)
          expect([kind, path, status]).toEqual([kind, path, expected])
          return reply
        }
        if (kind === 'post') {
          await call(model.plants.has(id) ? 409 : 201, 'POST', '/records/plants', plant)
          if (!model.plants.has(id)) model.plants.set(id, name)
        } else if (kind === 'patch') {
          await call(model.plants.has(id) ? 200 : 404, 'PATCH', `/records/plants/${id}`, { name })
          if (model.plants.has(id)) model.plants.set(id, name)
        } else if (kind === 'delete') {
          await call(model.plants.delete(id) ? 204 : 404, 'DELETE', `/records/plants/${id}`)
        } else if (kind === 'buy') {
          const isNew = !model.purchases.has(purchase)
          const given = { id: purchase, account: 'acct', amount: id, payment_method: 'pm_ok', status: 'pending' }
          await call(isNew ? 201 : 409, 'POST', '/records/purchases', {
            ...given,
            created_at: '0s ago',
            settles_at: `in ${hours}h`,
          })
          if (isNew)
            model.purchases.set(purchase, {
              id: purchase,
              amount: id,
              status: 'pending',
              settles_at: model.now + hours * hour,
            })
        } else if (kind === 'postpone') {
          const known = model.purchases.get(purchase)
          if (known?.status !== 'pending') continue
          await call(200, 'PATCH', `/records/purchases/${purchase}`, { settles_at: known.settles_at! + hours * hour })
          known.settles_at! += hours * hour
        } else if (kind === 'drop') {
          await call(model.purchases.delete(purchase) ? 204 : 404, 'DELETE', `/records/purchases/${purchase}`)
        } else if (kind === 'advance') {
          await call(200, 'PATCH', '/clock', { advance: `${hours}h` })
          model.advanceTo(model.now + hours * hour)
        } else if (kind === 'next') {
          const { done } = await call(200, 'POST', '/due/next')
          const { next } = model
          const due = [...model.purchases.values()].filter(
            ({ settles_at }) => settles_at !== undefined && settles_at === next,
          )
          expect(done.map((one: any) => one.subject.id).sort()).toEqual(due.map((one) => one.id).sort())
          if (next !== undefined) model.advanceTo(next)
        } else if (kind === 'snapshot') {
          await call(200, 'PUT', `/snapshots/${name}`)
          snapshots.set(name, model.copy())
        } else if (kind === 'restore') {
          await call(snapshots.has(name) ? 200 : 404, 'POST', `/snapshots/${name}/restore`)
          model = snapshots.get(name)?.copy() ?? model
        } else if (kind === 'forget') {
          await call(snapshots.delete(name) ? 204 : 404, 'DELETE', `/snapshots/${name}`)
        } else if (kind === 'compare') {
          const before = snapshots.get(name)
          const reply = await call(before ? 200 : 404, 'GET', `/snapshots/${name}/compare`)
          if (before) expect(plantsOf(reply.data)).toEqual(difference(before.plants, model.plants))
        }
      }
      expect(world.records.plants.all().map((plant) => [plant.id, plant.name])).toEqual([...model.plants])
      const purchases = world.records.purchases
        .all()
        .map(({ id, amount, status, settles_at }) => ({ id, amount, status, settles_at }))
      expect(purchases).toEqual([...model.purchases.values()].map((one) => ({ settles_at: undefined, ...one })))
      expect(world.records.credits.get('acct')?.purchased ?? 0).toBe(model.purchased)
      expect(world.clock.now()).toBe(model.now)
      const { data } = (await control('GET', `${base}/due?limit=1000`)).body
      const due = [...model.purchases.values()].filter(({ status }) => status === 'pending')
      expect(data.map(({ at, subject }: any) => [Date.parse(at), subject.id]).sort()).toEqual(
        due.map(({ id, settles_at }) => [settles_at, id]).sort(),
      )
    }),
    { numRuns: 40 },
  )
})

function plantsOf(data: { collection: string; added: string[]; removed: string[]; changed: { id: string }[] }[]) {
  const { added, removed, changed } = data.find(({ collection }) => collection === 'plants') ?? {
    added: [],
    removed: [],
    changed: [],
  }
  return { added: added.toSorted(), removed: removed.toSorted(), changed: changed.map(({ id }) => id).sort() }
}

function difference(before: ReadonlyMap<number, string>, after: ReadonlyMap<number, string>) {
  const ids = (map: ReadonlyMap<number, string>, matches: (id: number, name: string) => boolean) =>
    [...map]
      .filter(([id, name]) => matches(id, name))
      .map(([id]) => String(id))
      .sort()
  return {
    added: ids(after, (id) => !before.has(id)),
    removed: ids(before, (id) => !after.has(id)),
    changed: ids(after, (id, name) => before.has(id) && before.get(id) !== name),
  }
}
