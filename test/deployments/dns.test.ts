import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deployed } from './deploy.ts'

testApi(
  'with deployments.dns=pending the records are never found, and after 72 hours it has failed',
  async ({ call, world }) => {
    world.assume('deployments.dns', 'pending')
    const { created, verify, look } = await deployed(call)
    expect(await verify()).toEqual(created)
    world.clock.advance(72 * 3_600_000 - 1)
    expect(await verify()).toEqual(created)
    world.clock.advance(1)
    const failed = await look()
    expect(failed).toMatchObject({ state: 'failed', verify_before: null, updated_at: '2026-03-04T12:00:30.000Z' })
    expect(failed.failure).toEqual({
      code: 'dns_timeout',
      message: 'The DNS records were not found within 72 hours. Set them and verify again.',
    })
    expect(failed.dns_records[0].status).toBe('pending')
  },
)

testApi(
  'verifying a failed deployment again grants 72 hours, or goes on where records are found',
  async ({ call, world }) => {
    world.assume('deployments.dns', 'pending')
    const { verify, look } = await deployed(call)
    world.clock.advance('100h')
    expect(await verify()).toMatchObject({
      state: 'pending_dns',
      failure: null,
      verify_before: '2026-03-08T16:00:30.000Z',
    })
    world.clock.advance('1h')
    world.assume('deployments.certificate', 'fails')
    for (const found of ['verified', 'pending'] as const) {
      world.assume('deployments.dns', found)
      await verify()
      world.clock.advance('30s')
    }
    world.clock.advance('71h')
    expect((await look()).state).toBe('pending_dns')
    world.clock.advance('1h')
    expect((await look()).failure.code).toBe('dns_timeout')
    world.assume('deployments.dns', 'verified')
    expect(await verify()).toMatchObject({ state: 'issuing_certificate', failure: null })
  },
)

testApi(
  'with deployments.dns=after-1h the records are found an hour after they were asked for',
  async ({ call, world }) => {
    world.assume('deployments.dns', 'after-1h')
    const { verify } = await deployed(call)
    world.clock.advance(3_599_999)
    expect((await verify()).state).toBe('pending_dns')
    world.clock.advance(1)
    expect((await verify()).state).toBe('issuing_certificate')
  },
)

testApi('one that was verified in time does not fail when the time is up', async ({ call, world }) => {
  const { verify, look } = await deployed(call)
  world.clock.advance('71h')
  await verify()
  world.clock.advance('2h')
  expect(await look()).toMatchObject({ state: 'live', failure: null })
})

testApi('subdomains of dns-fails.example always have other records, of dns-pending.example none', async ({ call }) => {
  const wrong = await deployed(call, 'chat.dns-fails.example')
  const failed = await wrong.verify()
  expect(failed).toMatchObject({
    state: 'failed',
    failure: { code: 'dns_mismatch', message: expect.stringContaining('other DNS records') },
  })
  expect(failed.dns_records.map((record: { status: string }) => record.status)).toEqual(['mismatch', 'mismatch'])
  const missing = await deployed(call, 'chat.dns-pending.example')
  expect(await missing.verify()).toEqual(missing.created)
  expect((await (await deployed(call, 'chat.not-dns-fails.example')).verify()).state).toBe('issuing_certificate')
})
