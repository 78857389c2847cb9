import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deployed } from './deploy.ts'

testApi('a certificate that was under way for another domain says nothing of this one', async ({ call, world }) => {
  const good = await deployed(call)
  expect((await good.verify()).state).toBe('issuing_certificate')
  await call('PATCH', good.path, { body: { domain: 'chat.certificate-fails.example' } })
  expect((await good.verify()).state).toBe('issuing_certificate')
  world.clock.advance('30s')
  expect(await good.look()).toMatchObject({ state: 'failed', domain: 'chat.certificate-fails.example' })

  const bad = await deployed(call, 'shop.certificate-fails.example')
  expect((await bad.verify()).state).toBe('issuing_certificate')
  await call('PATCH', bad.path, { body: { domain: 'shop.example.com' } })
  expect((await bad.verify()).state).toBe('issuing_certificate')
  world.clock.advance('30s')
  expect(await bad.look()).toMatchObject({ state: 'live', domain: 'shop.example.com' })
})

testApi('the 72 hours that another domain had are not those of this one', async ({ call, world }) => {
  world.assume('deployments.dns', 'pending')
  const { path, look } = await deployed(call)
  await call('PATCH', path, { body: { domain: 'other.example.com' } })
  world.clock.advance('71h')
  expect((await look()).state).toBe('pending_dns')
  world.clock.advance('1h')
  expect((await look()).state).toBe('failed')
})
