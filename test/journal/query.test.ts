import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const ids = (entries: readonly { id: number }[]) => entries.map(({ id }) => id)

testApi(
  'entries can be asked for by operation, by status, by both, and the newest so many',
  async ({ world, call }) => {
    await call('GET', '/plants')
    await call('DELETE', '/plants/101')
    await call('DELETE', '/plants/101')
    await call('GET', '/plants')
    await call('GET', '/v1/nothing')
    const { journal } = world
    expect(ids(journal.calls())).toEqual([1, 2, 3, 4, 5])
    expect(ids(journal.calls({ operation: 'plants.list' }))).toEqual([1, 4])
    expect(ids(journal.calls({ operation: 'plants.delete' }))).toEqual([2, 3])
    expect(ids(journal.calls({ status: 404 }))).toEqual([3, 5])
    expect(ids(journal.calls({ operation: 'plants.delete', status: 404 }))).toEqual([3])
    expect(ids(journal.calls({ limit: 2 }))).toEqual([4, 5])
    expect(ids(journal.calls({ operation: 'plants.list', limit: 1 }))).toEqual([4])
    expect(ids(journal.calls({ limit: 0 }))).toEqual([])
    expect(ids(journal.calls({ limit: 100 }))).toEqual([1, 2, 3, 4, 5])
  },
)

testApi('what was never asked for is an empty list', async ({ world, call }) => {
  expect(world.journal.calls()).toEqual([])
  await call('GET', '/plants')
  expect(world.journal.calls({ operation: 'apps.list' })).toEqual([])
  expect(world.journal.calls({ operation: 'plants.list', status: 500 })).toEqual([])
})

testApi('a status that is asked for is 0 or begins at 100', async ({ world, call }) => {
  await call('GET', '/plants')
  expect(world.journal.calls({ status: 0 })).toEqual([])
  expect(world.journal.calls({ status: 100 })).toEqual([])
  for (const status of [1, 99])
    expect(() => world.journal.calls({ status })).toThrow(
      `from 100 to 599, or 0 for a request that got no reply; ${status} was given.`,
    )
})
