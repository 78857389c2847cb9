import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { own } from './own.ts'

testApi(
  'assume overrides the assumptions of the world while the scenario is on',
  { scenarios: own({ assume: { 'plants.delete.unknown': 204 } }) },
  async ({ world, call }) => {
    const status = async () => (await call('DELETE', '/plants/987654')).status
    world.assume('plants.delete.unknown', '400')
    world.use('own')
    expect([await status(), world.assumptions['plants.delete.unknown']]).toEqual([204, '204'])
    world.clear()
    expect([await status(), world.assumptions['plants.delete.unknown']]).toEqual([400, '400'])
  },
)

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  quiet: { ...head, assume: { 'plants.delete.unknown': 204 } },
  loud: { ...head, assume: { 'plants.delete.unknown': '400', 'plants.delete.status': '200' } },
}
const remove = '/plants/987654'

testApi(
  'the scenario switched on last decides an assumption; clearing it restores the one before',
  { scenarios },
  async ({ world, call }) => {
    const status = async () => (await call('DELETE', remove)).status
    expect(await status()).toBe(404)
    world.use('quiet')
    expect(await status()).toBe(204)
    world.use('loud')
    expect(await status()).toBe(400)
    world.clear('loud')
    expect(await status()).toBe(204)
    world.clear()
    expect(await status()).toBe(404)
  },
)

testApi("the world's own answers stay below a scenario's", { scenarios }, async ({ world, call }) => {
  world.use('quiet')
  world.assume('plants.delete.unknown', '400')
  expect((await call('DELETE', remove)).status).toBe(204)
  world.clear()
  expect((await call('DELETE', remove)).status).toBe(400)
})

testApi('a header answers it for one request, in one world', { scenarios }, async ({ greenhouse, call }) => {
  expect((await call('DELETE', remove, { headers: { 'x-greenhouse-scenario': 'quiet' } })).status).toBe(204)
  greenhouse.world('other').use('loud')
  expect([(await call('DELETE', remove)).status, (await call('DELETE', `/~other${remove}`)).status]).toEqual([404, 400])
})

testApi('a snapshot brings it back, and a reset ends it', { scenarios }, async ({ world, call }) => {
  world.use('quiet')
  world.snapshot('quiet')
  world.clear()
  world.restore('quiet')
  expect((await call('DELETE', remove)).status).toBe(204)
  world.reset()
  expect((await call('DELETE', remove)).status).toBe(404)
})
