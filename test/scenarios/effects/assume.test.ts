import { expect } from 'vitest'
import { through } from '../../support/through.ts'
import { own } from './own.ts'

through(
  'assume answers questions in another way while the scenario is on, over what the world assumes',
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
