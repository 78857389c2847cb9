import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deploy, deployed, pathOf } from './deploy.ts'

testApi('a change of the branding leaves the fields that it does not name, and the state', async ({ call, world }) => {
  const { body } = await deploy(call, {
    domain: 'chat.example.com',
    branding: { name: 'Chat', primary_color: '#2E7D32' },
  })
  world.clock.advance('5s')
  const changed = await call('PATCH', pathOf('key_pro', body.id), {
    body: { branding: { logo_url: 'https://example.com/logo.svg', name: null } },
  })
  expect(changed.status).toBe(200)
  expect(changed.body).toEqual({
    ...body,
    branding: {
      name: null,
      logo_url: 'https://example.com/logo.svg',
      primary_color: '#2E7D32',
      hide_powered_by: false,
    },
    updated_at: '2026-03-01T12:00:35.000Z',
  })
  const logo_url = 'http://example.com/logo.svg'
  const plain = await call('PATCH', pathOf('key_pro', body.id), { body: { branding: { logo_url } } })
  expect(plain.body.branding).toMatchObject({ logo_url })
})

testApi('a new custom domain starts over, with new records and another 72 hours', async ({ call, world }) => {
  const { path, created, verify, look } = await deployed(call)
  await verify()
  world.clock.advance('60h')
  const { body } = await call('PATCH', path, { body: { domain: 'talk.example.com' } })
  expect(body).toMatchObject({
    id: created.id,
    domain: 'talk.example.com',
    state: 'pending_dns',
    live_at: null,
    verify_before: '2026-03-07T00:00:30.000Z',
  })
  expect(body.dns_records[0].name).toBe('talk.example.com')
  expect(body.dns_records[0].value).not.toBe(created.dns_records[0].value)
  world.clock.advance('71h')
  expect((await look()).state).toBe('pending_dns')
  world.clock.advance('1h')
  expect((await look()).failure.code).toBe('dns_timeout')
})

testApi('the certificate of a domain that was left is not that of the next', async ({ call, world }) => {
  const { path, verify, look } = await deployed(call)
  await verify()
  world.clock.advance('10s')
  await call('PATCH', path, { body: { domain: 'talk.example.com' } })
  world.clock.advance('20s')
  expect((await look()).state).toBe('pending_dns')
  await verify()
  world.clock.advance('29s')
  expect((await look()).state).toBe('issuing_certificate')
})

testApi('with a domain of ours it is live at once', async ({ call }) => {
  const { path } = await deployed(call)
  expect((await call('PATCH', path, { body: { domain: 'mine.greenhouse-apps.example' } })).body).toMatchObject({
    state: 'live',
    custom_domain: false,
    dns_records: [],
  })
})
