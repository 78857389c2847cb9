import { expect } from 'vitest'
import { through } from '../support/through.ts'

through(
  'the journal says of an effect that acts now and then on which requests it does',
  async ({ world, call }) => {
    world.use('own')
    await call('GET', '/v1/apps')
    expect(world.journal.calls().flatMap(({ verdicts = [] }) => verdicts.map(({ why }) => why))).toEqual(['it acts on one request in 3, and this is number 1'])
  },
  { scenarios: { own: { title: 'T', description: 'D', covers: 'C', respond: [{ on: 'apps.list', status: 503, every: 3 }] } } },
)
