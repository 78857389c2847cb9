import { expect } from 'vitest'
import { throughOwn } from '../../support/through.ts'
import { own } from './own.ts'

throughOwn(
  'assume overrides the assumptions of the world while the scenario is on',
  async ({ world, call }) => {
    const status = async () => (await call('DELETE', '/plants/987654')).status
    world.assume('plants.delete.unknown', '400')
    world.use('own')
    expect([await status(), world.assumptions['plants.delete.unknown']]).toEqual([204, '204'])
    world.clear()
    expect([await status(), world.assumptions['plants.delete.unknown']]).toEqual([400, '400'])
  },
  { scenarios: own({ assume: { 'plants.delete.unknown': 204 } }) },
)

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  quiet: { ...head, assume: { 'plants.delete.unknown': 204 } },
  loud: { ...head, assume: { 'plants.delete.unknown': '400', 'plants.delete.status': '200' } },
}
const remove = '/plants/987654'

throughOwn(
  'the scenario switched on last decides an assumption; clearing it restores the one before',
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
  { scenarios },
)

throughOwn(
  "the world's own answers stay below a scenario's",
  async ({ world, call }) => {
    world.use('quiet')
    world.assume('plants.delete.unknown', '400')
    expect((await call('DELETE', remove)).status).toBe(204)
    world.clear()
    expect((await call('DELETE', remove)).status).toBe(400)
  },
  { scenarios },
)

throughOwn(
  'a header answers it for one request, in one world',
  async ({ greenhouse, call }) => {
    expect((await call('DELETE', remove, { headers: { 'x-greenhouse-scenario': 'quiet' } })).status).toBe(204)
    greenhouse.world('other').use('loud')
    expect([(await call('DELETE', remove)).status, (await call('DELETE', `/~other${remove}`)).status]).toEqual([
      404, 400,
    ])
  },
  { scenarios },
)

throughOwn(
  'a snapshot brings it back, and a reset ends it',
  async ({ world, call }) => {
    world.use('quiet')
    world.snapshot('quiet')
    world.clear()
    world.restore('quiet')
    expect((await call('DELETE', remove)).status).toBe(204)
    world.reset()
    expect((await call('DELETE', remove)).status).toBe(404)
  },
  { scenarios },
)
