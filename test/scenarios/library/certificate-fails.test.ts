import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { deployed } from '../../deployments/deploy.ts'

testApi(
  'certificate-fails fails a verified deployment after 30 seconds; once cleared, it recovers',
  async ({ world, call }) => {
    world.use('certificate-fails')
    const { verify, look } = await deployed(call)
    expect((await verify()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect(await look()).toMatchObject({ state: 'failed', failure: { code: 'certificate_failed' } })
    world.clear()
    expect((await verify()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect(await look()).toMatchObject({ state: 'live', failure: null })
  },
)
