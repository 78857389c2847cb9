import { expect } from 'vitest'
import { throughConnections, faulty } from './among.ts'

throughConnections(
  'the connection is reset before or after the work is done, for every method',
  async ({ world, call }) => {
    world.use('it')
    await expect(call('HEAD', '/plants')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    await expect(call('DELETE', '/plants/101')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(world.records.plants.get(101)).toBeDefined()
    await expect(call('POST', '/v1/apps', { body: { name: 'Made' } })).rejects.toMatchObject({
      cause: { code: 'ECONNRESET' },
    })
    expect(world.records.apps.all().some(({ name }) => name === 'Made')).toBe(true)
  },
  faulty({ kind: 'reset', on: 'plants.*', loses: 'request' }, { kind: 'reset', on: 'apps.*', loses: 'reply' }),
)

throughConnections(
  'of two ends of a request the one that loses the reply counts, and nothing was done',
  async ({ world, call }) => {
    world.use('it')
    await expect(call('DELETE', '/plants/101')).rejects.toMatchObject({ cause: { message: 'other side closed' } })
    expect(world.records.plants.get(101)).toBeDefined()
  },
  faulty({ kind: 'reset' }, { kind: 'empty-reply', loses: 'reply' }),
)
