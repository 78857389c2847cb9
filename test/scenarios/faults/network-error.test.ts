import { expect } from 'vitest'
import { faulty } from './among.ts'
import { testApi } from '../../support/test-api.ts'

testApi(
  'what was lost is the request unless the reply is named',
  faulty({ kind: 'network-error', on: 'plants.*' }, { kind: 'network-error', on: 'apps.*', loses: 'reply' }),
  async ({ world, call }) => {
    world.use('it')
    await expect(call('DELETE', '/plants/101')).rejects.toBeInstanceOf(TypeError)
    expect(world.records.plants.get(101)).toBeDefined()
    await expect(call('POST', '/v1/apps', { body: { name: 'Made' } })).rejects.toBeInstanceOf(TypeError)
    expect(world.records.apps.all().some(({ name }) => name === 'Made')).toBe(true)
    expect(world.journal.calls().map(({ response, scenarios }) => [response.status, scenarios])).toEqual([
      [0, ['it']],
      [0, ['it']],
    ])
  },
)

testApi('a HEAD and a request without a key fail too', faulty({ kind: 'network-error' }), async ({ world, call }) => {
  world.use('it')
  await expect(call('HEAD', '/plants')).rejects.toBeInstanceOf(TypeError)
  await expect(call('GET', '/v1/apps', { key: null })).rejects.toBeInstanceOf(TypeError)
})
