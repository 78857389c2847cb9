import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { deployed } from '../../deployments/deploy.ts'

testApi(
  'with deployment-dns-never-found a deployment waits for DNS and fails on the third day',
  async ({ world, call }) => {
    world.use('deployment-dns-never-found')
    const { verify, look } = await deployed(call)
    for (let day = 0; day < 3; day++) {
      expect((await verify()).state).toBe('pending_dns')
      world.clock.advance('24h')
    }
    expect(await look()).toMatchObject({ state: 'failed', failure: { code: 'dns_timeout' } })
  },
)

testApi('deployment-dns-never-found in a header keeps one verification from finding the records', async ({ call }) => {
  const { path, verify } = await deployed(call)
  const headers = { 'x-greenhouse-scenario': 'deployment-dns-never-found' }
  expect((await call('POST', `${path}/verify`, { headers })).body.state).toBe('pending_dns')
  expect((await verify()).state).toBe('issuing_certificate')
})
