import { expect } from 'vitest'
import { malformations } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'
import { expectMalformed, resultOf } from './contract.ts'

/** One malformation of each kind for both lists, breaking and legal. */
const sample = ['plants.list', 'apps.list'].flatMap((id) => [
  ...new Map(
    malformations(id).map((malformation) => [`${malformation.options.kind} ${malformation.breaks}`, malformation]),
  ).values(),
])

testApi('malformations arrive as they are', async ({ world, call }) => {
  const sound = { 'plants.list': await call('GET', '/plants'), 'apps.list': await call('GET', '/v1/apps') }
  for (const { name, options, breaks } of sample) {
    const { status, body } = sound[options.on as keyof typeof sound]
    world.use(name, options)
    const malformed = await call('GET', options.on === 'plants.list' ? '/plants' : '/v1/apps')
    expect(malformed.status).toBe(status)
    expectMalformed(body, malformed.body, { ...options, breaks }, resultOf(options.on))
    world.clear()
  }
})
