import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { deployed } from './deploy.ts'

const refused = { code: 'certificate_failed', message: expect.stringContaining('refused to issue a certificate') }

testApi('with deployments.certificate=instant verification ends live', async ({ call, world }) => {
  world.assume('deployments.certificate', 'instant')
  const { verify, look } = await deployed(call)
  expect(await verify()).toMatchObject({ state: 'live', live_at: start })
  world.clock.advance('100h')
  expect((await look()).state).toBe('live')
})

testApi(
  'with deployments.certificate=fails it fails after 30 s, and can succeed on another verify',
  async ({ call, world }) => {
    world.assume('deployments.certificate', 'fails')
    const { verify, look } = await deployed(call)
    expect((await verify()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect(await look()).toMatchObject({ state: 'failed', failure: refused, live_at: null })
    expect((await look()).dns_records[0].status).toBe('verified')
    world.assume('deployments.certificate', '30s')
    expect(await verify()).toMatchObject({ state: 'issuing_certificate', failure: null })
    world.clock.advance('30s')
    expect((await look()).state).toBe('live')
  },
)

for (const certificate of ['30s', 'instant'] as const)
  testApi(
    `domains below certificate-fails.example get none (deployments.certificate=${certificate})`,
    async ({ call, world }) => {
      world.assume('deployments.certificate', certificate)
      const { verify, look } = await deployed(call, 'chat.certificate-fails.example')
      expect((await verify()).state).toBe('issuing_certificate')
      world.clock.advance('30s')
      expect((await look()).failure).toEqual(refused)
    },
  )
