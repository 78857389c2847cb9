import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, type Plant } from 'greenhouse-mock'
import { times } from '../support/soak.ts'

type Step =
  | { do: 'create' | 'delete' | 'update'; id: number; owner: number; many?: boolean }
  | { do: 'snapshot' | 'restore'; name: string }
  | { do: 'reset' }

const owners = ['acct_free', 'acct_pro', 'acct_pro_plus']
/**
 * Few ids, so that they meet; and ids far apart, so that their records lie in different parts of
 * the store.
 */
const id = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9_000 }))
const owner = fc.integer({ min: 0, max: 2 })
const name = fc.constantFrom('a', 'b', 'c')
/** As many records as a copy keeps for itself, and more. */
const run = 300
const many = fc.boolean()
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('create' as const), id, owner }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('delete' as const), id, owner }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), id, owner }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('create' as const, 'delete'), id, owner, many }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('snapshot' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
)

const plant = (id: number, owner: number): Plant => ({
  id,
  name: `Plant ${id}`,
  account: owners[owner]!,
})

/**
 * A few more records than each of these spread over more parts of the store. Of the large one, an
 * owner's list has several parts, too.
 */
for (const [size, count] of [
  ['small', 30],
  ['growing', 510],
  ['large', 8_190],
] as const)
  test(`a ${size} store acts like a list of records through edits, snapshots, restores and resets`, () => {
    const plants = Array.from({ length: count }, (_, index) => plant(index + 1, index % 3))
    const greenhouse = createGreenhouse({
      fixtures: {
        accounts: owners.map((id) => ({ id, name: id, email: `${id}@example.com`, plan: 'pro' })),
        plants,
      },
    })
    const bystander = greenhouse.world('bystander')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = greenhouse.world()
        world.reset()
        let model = plants.slice()
        const snapshots = new Map<string, Plant[]>()
        const changed = new Set<number>()
        for (const [number, one] of steps.entries()) {
          const { plants: stored } = world.records
          if (one.do === 'create' || one.do === 'delete') {
            const ids = Array.from({ length: one.many ? run : 1 }, (_, index) => one.id + index)
            for (const id of ids) changed.add(id)
            const there = new Set(model.map(({ id }) => id))
            if (one.do === 'delete') {
              for (const id of ids) expect(stored.delete(id)).toBe(there.has(id))
              model = model.filter(({ id }) => !ids.includes(id as number))
            } else
              for (const id of ids) {
                const made = plant(id, one.owner)
                if (there.has(id)) expect(() => stored.create(made)).toThrow('exists already')
                else model = [...model, stored.create(made)]
              }
          } else if (one.do === 'update') {
            stored.update(one.id, { name: `Plant ${one.id} of step ${number}` })
            model = model.map((known) =>
              known.id === one.id ? { ...known, name: `Plant ${one.id} of step ${number}` } : known,
            )
          } else if (one.do === 'snapshot') {
            world.snapshot(one.name)
            snapshots.set(one.name, model)
          } else if (one.do === 'restore') {
            const kept = snapshots.get(one.name)
            if (!kept) continue
            world.restore(one.name)
            model = kept
          } else {
            world.reset()
            snapshots.clear()
            model = plants.slice()
          }
        }
        const { plants: stored } = world.records
        expect(stored.all()).toEqual(model)
        expect(stored.count()).toBe(model.length)
        const known = new Map(model.map((one) => [one.id, one]))
        for (const id of [...changed, ...model.slice(0, 50).map(({ id }) => id)])
          expect(stored.get(id)).toEqual(known.get(id))
        for (const account of owners)
          expect(stored.find({ account })).toEqual(
            model.filter((known) => known.account === account),
          )
      }),
      { numRuns: size === 'small' ? times(1_000, 50) : times(100, 8) },
    )
    expect(bystander.records.plants.all()).toEqual(plants)
  })
