import { expect } from 'vitest'
import { through } from '../../support/through.ts'
import { deployed } from '../../deployments/deploy.ts'

through(
  'with certificate-fails a verified deployment fails after 30 seconds, and recovers once it is cleared',
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
