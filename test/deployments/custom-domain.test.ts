import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { deploy, deployed } from './deploy.ts'

testApi('a custom domain waits for the DNS records that the reply lists', async ({ call }) => {
  const { status, body } = await deploy(call, { domain: 'Chat.Example.com', branding: { name: 'Chat' } })
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
      { type: 'CNAME', name: 'chat.example.com', value: `${token}.edge.greenhouse-apps.example`, status: 'pending' },
      { type: 'TXT', name: '_greenhouse.chat.example.com', value: `greenhouse-verify=${token}`, status: 'pending' },
    ],
    verify_before: '2026-03-04T12:00:30.000Z',
    branding: { name: 'Chat', logo_url: null, primary_color: null, hide_powered_by: false },
    live_at: null,
    created_at: start,
    updated_at: start,
  })
})

testApi('verified, it gets a certificate for 30 seconds and then is live', async ({ call, world }) => {
  const { verify, look } = await deployed(call)
  world.clock.advance('1m')
  const verified = await verify()
  expect(verified).toMatchObject({
    state: 'issuing_certificate',
    verify_before: null,
    live_at: null,
    updated_at: '2026-03-01T12:01:30.000Z',
  })
  expect(verified.dns_records.map((record: { status: string }) => record.status)).toEqual(['verified', 'verified'])
  world.clock.advance(29_999)
  expect((await look()).state).toBe('issuing_certificate')
  world.clock.advance(1)
  expect(await look()).toMatchObject({
    state: 'live',
    live_at: '2026-03-01T12:02:00.000Z',
    updated_at: '2026-03-01T12:02:00.000Z',
    failure: null,
  })
})

testApi('a clock that jumps far ahead leaves the times at which things happened', async ({ call, world }) => {
  const { verify, look } = await deployed(call)
  await verify()
  world.clock.advance('30d')
  await world.settled()
  expect(await look()).toMatchObject({
    state: 'live',
    live_at: '2026-03-01T12:01:00.000Z',
    updated_at: '2026-03-01T12:01:00.000Z',
  })
})

testApi('verifying what has its certificate, or is getting it, changes nothing', async ({ call, world }) => {
  const { verify } = await deployed(call)
  const issuing = await verify()
  world.clock.advance('10s')
  expect(await verify()).toEqual(issuing)
  world.clock.advance('20s')
  const live = await verify()
  expect(live.state).toBe('live')
  world.clock.advance('80h')
  expect(await verify()).toEqual(live)
})
