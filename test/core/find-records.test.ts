import { expect, test } from 'vitest'
import { Query } from 'greenhouse-mock/data'
import { createGreenhouse, type Plant } from 'greenhouse-mock'

const { plants, deployments, apps } = createGreenhouse({
  fixtures: {
    accounts: [{ id: 'acct_a', name: 'A', email: 'a@example.com', plan: 'pro' }],
    plants: [
      { id: 1, name: 'Fern', tag: 'shade', account: 'acct_a' },
      { id: 2, name: 'Ficus', account: 'acct_a' },
      { id: 3, name: 'Aloe', tag: 'sun', account: 'acct_a', extra: { soil: ['sand', 'loam'], pot: { size: 3 } } },
      { id: 4, name: 'Fern', tag: 'sun', account: 'acct_a' },
    ],
    apps: [null, '-5', '5'].map((description, place) => ({
      id: `app_${place}`,
      account: 'acct_a',
      name: 'A',
      description,
    })),
  },
}).world().records
const ids = (found: readonly Readonly<Plant>[]) => found.map(({ id }) => id)

test('find takes conditions on fields (values or functions), a function, or a Query of @msw/data', () => {
  expect(ids(plants.find({ name: 'Fern' }))).toEqual([1, 4])
  expect(ids(plants.find({ name: (name) => name.startsWith('F'), tag: 'sun' }))).toEqual([4])
  expect(ids(plants.find(({ tag }) => tag === undefined))).toEqual([2])
  expect(ids(plants.find({}))).toEqual([1, 2, 3, 4])
  expect(ids(plants.find({ extra: { soil: ['sand', 'loam'], pot: { size: 3 } } }))).toEqual([3])
  expect(ids(plants.find({ extra: { soil: ['sand'] } }))).toEqual([])
  expect(ids(plants.find(new Query<Plant>().where({ name: 'Fern' }).and({ tag: 'sun' })))).toEqual([4])
  expect(ids(plants.find(new Query<Plant>().where({ name: 'Aloe' }).or({ name: 'Ficus' })))).toEqual([2, 3])
})

test('what is found is sorted by fields, the first one first, and cut', () => {
  expect(ids(plants.find({}, { orderBy: { name: 'asc', id: 'desc' } }))).toEqual([3, 4, 1, 2])
  expect(ids(plants.find({}, { orderBy: { tag: 'asc' } }))).toEqual([2, 1, 3, 4])
  const descriptions = apps.find({}, { orderBy: { description: 'asc' } }).map(({ description }) => description)
  expect(descriptions).toEqual([null, '-5', '5'])
  expect(ids(plants.find({}, { orderBy: { name: 'desc' }, skip: 1, take: 2 }))).toEqual([1, 4])
  expect(ids(plants.find({}, { skip: 2, take: 1 }))).toEqual([3])
  expect(ids(plants.find({ name: 'Fern' }, { take: 0 }))).toEqual([])
})

test('records are counted, all of them or those that are meant', () => {
  expect(plants.count()).toBe(4)
  expect(plants.count({ tag: 'sun' })).toBe(2)
  expect(plants.count(({ id }) => Number(id) > 1)).toBe(3)
})

test('an unknown field throws with a suggestion, as does an invalid option', () => {
  expect(() => plants.find({ nmae: 'Fern' } as never)).toThrow(
    'Failed to find records of "plants": they have no field "nmae". Did you mean "name"?',
  )
  expect(() => plants.count({ acount: 'x' } as never)).toThrow('Did you mean "account"?')
  expect(() => plants.find({}, { orderBy: { nmae: 'asc' } as never })).toThrow('Did you mean "name"?')
  expect(() => plants.find({}, { orderBy: { name: 'up' as never } })).toThrow('orderBy.name takes "asc" or "desc"')
  expect(() => plants.find({}, { orderBy: null as never })).toThrow('the option "orderBy" takes an object of fields')
  expect(() => plants.find({}, { take: -1 })).toThrow('the option "take" takes a whole number')
  expect(() => plants.find({}, { orderby: { name: 'asc' } } as never)).toThrow('Did you mean "orderBy"?')
  expect(() => plants.find('Fern' as never)).toThrow('expected a condition')
})

test('an optional field is a field of a record that has none', () => {
  expect(ids(plants.find({ tag: undefined }))).toEqual([2])
  expect(deployments.find({ failure: 'dns_timeout' })).toEqual([])
})
