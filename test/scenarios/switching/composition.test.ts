import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { answered } from '../faults/held.ts'

testApi(
  'scenarios compose: a delay, a malformed body and headers of three are all in one reply',
  async ({ world, call, send }) => {
    const sound = (await call('GET', '/plants')).body
    world.use('wrong-content-type')
    world.use('malformed-plant', { kind: 'null' })
    const asked = send('/plants', {
      headers: { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'slow:ms=60000, no-rate-limit-headers' },
    })
    await answered(world, 2)
    world.clock.advance('1m')
    const response = await asked
    expect(response.headers.get('content-type')).not.toBe('application/json')
    expect(JSON.parse(await response.text())).toEqual([{ ...sound[0], name: null }, ...sound.slice(1)])
    expect(world.scenarios).toEqual(['wrong-content-type', 'malformed-plant'])
  },
)

testApi('a header holds for one request, what is switched on until it is cleared', async ({ world, call }) => {
  const status = async (headers = {}) => (await call('GET', '/plants', { headers })).status
  expect([await status({ 'x-greenhouse-scenario': 'forbidden' }), await status()]).toEqual([403, 200])
  world.use('forbidden')
  expect([await status(), await status({ 'x-greenhouse-scenario': 'not-found' }), await status()]).toEqual([
    403, 404, 403,
  ])
  world.clear()
  expect(await status()).toBe(200)
})

testApi('an option on can also be called operation', async ({ world, call }) => {
  world.use('server-error', { operation: 'apps.list' })
  expect([(await call('GET', '/plants')).status, (await call('GET', '/v1/apps')).status]).toEqual([200, 500])
  expect(world.active).toEqual([{ name: 'server-error', on: 'apps.list' }])
})
