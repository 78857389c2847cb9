import { expect, test } from 'vitest'
import type { VerifyReport } from '../../src/contract/verify/verify.ts'
import { brokenOf, verifyStore } from './own-store.ts'
import { Store } from './store.ts'

const storeOf = (changes: Partial<Store>) => Object.assign(new Store(), changes)

/** The rules of plants that the run could not judge. */
const unseenOf = ({ rules }: VerifyReport) =>
  rules.filter(({ area, outcome }) => area === 'plants' && outcome === 'unseen').map(({ id }) => id)

/** Lists as they may be: nothing of it is stated otherwise. */
const correct: Record<string, Partial<Store>> = {
  'that is correct': {},
  'whose list shows changes 400 ms late': { lag: 400 },
  'whose list shows changes 1.5 s late': { lag: 1_500 },
  'whose list takes a limit of 100 at most': { most: 100 },
  'whose list takes a limit of 50 at most': { most: 50 },
  'whose list takes a limit of 30 at most': { most: 30 },
}

for (const [name, changes] of Object.entries(correct))
  test(`every rule of plants is kept by a store ${name}`, async () => {
    const store = storeOf(changes)
    const report = await verifyStore(store)
    expect(brokenOf(report)).toEqual([])
    expect(unseenOf(report)).toEqual([])
    expect(report.left).toEqual([])
    expect(store.plants.filter((plant) => !store.isGone(plant))).toEqual([])
  })

/** Rules that depend on seeing a plant in the list. */
const seen = [
  'plants.list.own',
  'plants.delete.auth',
  'plants.create.listed',
  'plants.create.int64',
  'plants.delete.gone',
  'plants.delete.single',
  'plants.delete.int64',
  'plants.delete.own',
]

test('a list later than --read-lag is reported as late, and no other rule is judged by it', async () => {
  const store = storeOf({ lag: 3_000 })
  const report = await verifyStore(store, { only: () => true })
  expect(brokenOf(report)).toEqual(['plants.create.listed'])
  // Only the second plant of an id is left, although the list still has deleted ones.
  const kept = store.plants.filter((plant) => !store.isGone(plant))
  expect(report.left).toEqual(kept.map(({ name }) => `the plant "${name}"`))
  expect(kept).toHaveLength(1)
  expect(report.probes.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => id)).not.toContain(
    'plants.list.limit-default',
  )
  expect(report.rules).toContainEqual(
    expect.objectContaining({
      id: 'plants.delete.auth',
      outcome: 'unseen',
      why: 'the plant is not in the list within 2 s. Allow more with --read-lag',
    }),
  )
  expect(brokenOf(await verifyStore(storeOf({ lag: 3_000 }), { readLag: 5_000 }))).toEqual([])
})

test('of a list without names, only that is said', async () => {
  const store = storeOf({
    list(owner) {
      return this.json!(
        200,
        this.seenBy!(owner).map(({ tag }) => ({ tag })),
      )
    },
  })
  store.plants.push({ id: 1n, name: 'Ficus', tag: 'tree', owner: 'own', since: 0, until: Infinity })
  const report = await verifyStore(store)
  expect(brokenOf(report)).toEqual(['plants.list.reply'])
  expect(unseenOf(report)).toEqual(expect.arrayContaining(seen))
})

test('of a store with more plants than its list shows, nothing is said that rests on the list', async () => {
  for (const [most, refuses] of [
    [100, true],
    [20, true],
    [20, false],
  ] as const) {
    const store = storeOf({ most: refuses ? most : Infinity })
    if (!refuses) {
      const list = store.list.bind(store)
      store.list = (owner, query) => {
        const limit = Math.min(most, Number(query.get('limit') ?? most))
        return list(owner, new URLSearchParams({ limit: String(limit) }))
      }
    }
    for (let id = 1n; id <= 150n; id++)
      store.plants.push({ id, name: `Plant ${id}`, owner: 'own', since: 0, until: Infinity })
    const report = await verifyStore(store)
    expect(brokenOf(report)).toEqual([])
    expect(unseenOf(report)).toEqual(expect.arrayContaining(['plants.create.listed', 'plants.delete.single']))
    expect(store.plants.filter((plant) => !store.isGone(plant))).toHaveLength(150)
  }
})

test('the gaps of a late list are found as those of a prompt one', async () => {
  const gaps = async (changes: Partial<Store>) => {
    const report = await verifyStore(storeOf(changes), { only: (id) => id.startsWith('plants.') })
    return Object.fromEntries(
      report.probes.map((gap) => [gap.id, gap.outcome === 'value' ? gap.value : gap.outcome] as const),
    )
  }
  expect(await gaps({ lag: 400 })).toEqual(await gaps({}))
})

test('one answer of 503 in a run, before or after the work is done, accuses nobody', async () => {
  for (let failing = 2; failing < 200; failing += 5) {
    let count = 0
    const store = new Store()
    const own = store.answer.bind(store)
    store.answer = (asked) => {
      const isOne = ++count === failing
      const answered = isOne && failing % 2 === 0 ? undefined : own(asked)
      return isOne ? { status: 503, headers: { 'content-type': 'text/html' }, text: '<p>Later.</p>' } : answered!
    }
    expect(brokenOf(await verifyStore(store)), `request ${failing}`).toEqual([])
  }
})

test('an id that only replies to creations have is no known choice', async () => {
  const store = new Store()
  store.create = (owner, text) => {
    store.keep(owner, store.read(text)!)
    return store.json(200, JSON.parse(text))
  }
  const { probes: gaps } = await verifyStore(store, { only: (id) => id === 'plants.body.includes-id' })
  expect(gaps).toMatchObject([{ outcome: 'unknown', why: 'the id is only in replies to creations' }])
})
