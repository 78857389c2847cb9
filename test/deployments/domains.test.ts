import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { deploy, deployed } from './deploy.ts'

testApi('a custom domain waits for the DNS records that the reply lists', async ({ call }) => {
  const { status, body } = await deploy(call, {
    domain: 'Chat.Example.com',
    branding: { name: 'Chat' },
  })
  expect(status).toBe(201)
  const token = /^greenhouse-verify=([a-z2-7]{16})$/.exec(body.dns_records[1].value)?.[1]
  expect(token).toBeDefined()
  expect(body).toEqual({
    id: expect.stringMatching(/^dep_[a-z2-7]{16}$/),
    app_id: 'app_w33c4cwmhfyfktiv',
    domain: 'chat.example.com',
    custom_domain: true,
    url: 'https://chat.example.com',
    state: 'pending_dns',
    failure: null,
    dns_records: [
      {
        type: 'CNAME',
        name: 'chat.example.com',
        value: `${token}.edge.greenhouse-apps.example`,
        status: 'pending',
      },
      {
        type: 'TXT',
        name: '_greenhouse.chat.example.com',
        value: `greenhouse-verify=${token}`,
        status: 'pending',
      },
    ],
    verify_before: '2026-03-04T12:00:30.000Z',
    branding: { name: 'Chat', logo_url: null, primary_color: null, hide_powered_by: false },
    live_at: null,
    created_at: start,
    updated_at: start,
  })
})

testApi(
  'verified, it gets a certificate for 30 seconds and then is live',
  async ({ call, world }) => {
    const { verify, look } = await deployed(call)
    world.clock.advance('1m')
    const verified = await verify()
    expect(verified).toMatchObject({
      state: 'issuing_certificate',
      verify_before: null,
      live_at: null,
      updated_at: '2026-03-01T12:01:30.000Z',
    })
    expect(verified.dns_records.map((record: { status: string }) => record.status)).toEqual([
      'verified',
      'verified',
    ])
    world.clock.advance(29_999)
    expect((await look()).state).toBe('issuing_certificate')
    world.clock.advance(1)
    expect(await look()).toMatchObject({
      state: 'live',
      live_at: '2026-03-01T12:02:00.000Z',
      updated_at: '2026-03-01T12:02:00.000Z',
      failure: null,
    })
  },
)

testApi(
  'a clock that jumps far ahead leaves the times at which things happened',
  async ({ call, world }) => {
    const { verify, look } = await deployed(call)
    await verify()
    world.clock.advance('30d')
    await world.settled()
    const at = '2026-03-01T12:01:00.000Z'
    expect(await look()).toMatchObject({ state: 'live', live_at: at, updated_at: at })
  },
)

testApi(
  'verifying what has its certificate, or is getting it, changes nothing',
  async ({ call, world }) => {
    const { verify } = await deployed(call)
    const issuing = await verify()
    world.clock.advance('10s')
    expect(await verify()).toEqual(issuing)
    world.clock.advance('20s')
    const live = await verify()
    expect(live.state).toBe('live')
    world.clock.advance('80h')
    expect(await verify()).toEqual(live)
  },
)

testApi(
  'with deployments.dns=pending a deployment has failed after 72 hours',
  async ({ call, world }) => {
    world.assume('deployments.dns', 'pending')
    const { created, verify, look } = await deployed(call)
    expect(await verify()).toEqual(created)
    world.clock.advance(72 * 3_600_000 - 1)
    expect(await verify()).toEqual(created)
    world.clock.advance(1)
    const failed = await look()
    expect(failed).toMatchObject({
      state: 'failed',
      verify_before: null,
      updated_at: '2026-03-04T12:00:30.000Z',
    })
    expect(failed.failure).toEqual({
      code: 'dns_timeout',
      message: 'The DNS records were not found within 72 hours. Set them and verify again.',
    })
    expect(failed.dns_records[0].status).toBe('pending')
  },
)

testApi('verifying a failed deployment again grants 72 hours', async ({ call, world }) => {
  world.assume('deployments.dns', 'pending')
  const { verify, look } = await deployed(call)
  world.clock.advance('100h')
  const verify_before = '2026-03-08T16:00:30.000Z'
  expect(await verify()).toMatchObject({ state: 'pending_dns', failure: null, verify_before })
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
})

testApi(
  'with deployments.dns=after-1h the records are found after an hour',
  async ({ call, world }) => {
    world.assume('deployments.dns', 'after-1h')
    const { verify } = await deployed(call)
    world.clock.advance(3_599_999)
    expect((await verify()).state).toBe('pending_dns')
    world.clock.advance(1)
    expect((await verify()).state).toBe('issuing_certificate')
  },
)

testApi('a domain that was verified in time does not fail later', async ({ call, world }) => {
  const { verify, look } = await deployed(call)
  world.clock.advance('71h')
  await verify()
  world.clock.advance('2h')
  expect(await look()).toMatchObject({ state: 'live', failure: null })
})

testApi(
  'subdomains of dns-fails.example always have other records, of dns-pending.example none',
  async ({ call }) => {
    const wrong = await deployed(call, 'chat.dns-fails.example')
    const failed = await wrong.verify()
    expect(failed).toMatchObject({
      state: 'failed',
      failure: { code: 'dns_mismatch', message: expect.stringContaining('other DNS records') },
    })
    expect(failed.dns_records.map((record: { status: string }) => record.status)).toEqual([
      'mismatch',
      'mismatch',
    ])
    const missing = await deployed(call, 'chat.dns-pending.example')
    expect(await missing.verify()).toEqual(missing.created)
    expect((await (await deployed(call, 'chat.not-dns-fails.example')).verify()).state).toBe(
      'issuing_certificate',
    )
  },
)

const refused = {
  code: 'certificate_failed',
  message: expect.stringContaining('refused to issue a certificate'),
}

testApi('with deployments.certificate=instant verification ends live', async ({ call, world }) => {
  world.assume('deployments.certificate', 'instant')
  const { verify, look } = await deployed(call)
  expect(await verify()).toMatchObject({ state: 'live', live_at: start })
  world.clock.advance('100h')
  expect((await look()).state).toBe('live')
})

testApi(
  'with deployments.certificate=fails it fails after 30 s until verified again',
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

testApi(
  'a certificate that was under way for another domain says nothing of this one',
  async ({ call, world }) => {
    const good = await deployed(call)
    expect((await good.verify()).state).toBe('issuing_certificate')
    await call('PATCH', good.path, { body: { domain: 'chat.certificate-fails.example' } })
    expect((await good.verify()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect(await good.look()).toMatchObject({
      state: 'failed',
      domain: 'chat.certificate-fails.example',
    })

    const bad = await deployed(call, 'shop.certificate-fails.example')
    expect((await bad.verify()).state).toBe('issuing_certificate')
    await call('PATCH', bad.path, { body: { domain: 'shop.example.com' } })
    expect((await bad.verify()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect(await bad.look()).toMatchObject({ state: 'live', domain: 'shop.example.com' })
  },
)
