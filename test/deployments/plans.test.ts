import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deploy, pathOf } from './deploy.ts'

const permitted = { key_free: [403, 403], key_lite: [403, 403], key_pro: [201, 403], key_pro_plus: [201, 201] }

for (const [key, [custom, unbranded]] of Object.entries(permitted))
  testApi(
    `of a custom domain and hide_powered_by ${key} is answered ${custom} and ${unbranded}`,
    async ({ call, world }) => {
      const before = world.records.deployments.count()
      const onCustom = await deploy(call, { domain: 'chat.example.com' }, { key })
      const hidden = await deploy(call, { branding: { hide_powered_by: true } }, { key })
      expect([onCustom.status, hidden.status]).toEqual([custom, unbranded])
      for (const { status, body } of [onCustom, hidden])
        if (status === 403) expect(body.error.code).toBe('insufficient_permissions')
      expect(world.records.deployments.count() - before).toBe(
        [custom, unbranded].filter((status) => status === 201).length,
      )
      expect((await deploy(call, { branding: { hide_powered_by: false } }, { key })).status).toBe(201)
    },
  )

testApi('the gates say which plan is needed', async ({ call }) => {
  expect((await deploy(call, { domain: 'chat.example.com' }, { key: 'key_lite' })).body.error.message).toBe(
    'A custom domain needs the plan Pro or Pro Plus.',
  )
  expect((await deploy(call, { branding: { hide_powered_by: true } })).body.error.message).toBe(
    'branding.hide_powered_by needs the plan Pro Plus.',
  )
})

testApi('the gates hold for changes too', async ({ call }) => {
  const { body } = await deploy(call, {}, { key: 'key_lite' })
  const path = pathOf('key_lite', body.id)
  for (const changes of [{ domain: 'chat.example.com' }, { branding: { hide_powered_by: true } }])
    expect((await call('PATCH', path, { key: 'key_lite', body: changes })).status).toBe(403)
  expect((await call('GET', path, { key: 'key_lite' })).body).toEqual(body)
})

testApi('what an account has it keeps when its plan gets smaller, and more of it is 403', async ({ call, world }) => {
  const key = 'key_pro_plus'
  const { body } = await deploy(call, { domain: 'chat.example.com', branding: { hide_powered_by: true } }, { key })
  const path = pathOf(key, body.id)
  await world.records.accounts.update('acct_pro_plus', { plan: 'free' })
  expect((await call('POST', `${path}/verify`, { key })).body.state).toBe('issuing_certificate')
  world.clock.advance('30s')
  const changed = await call('PATCH', path, {
    key,
    body: { domain: 'chat.example.com', branding: { name: 'x', hide_powered_by: true } },
  })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({ state: 'live', branding: { name: 'x', hide_powered_by: true } })
  expect((await call('PATCH', path, { key, body: { domain: 'other.example.com' } })).status).toBe(403)
  expect((await call('PATCH', path, { key, body: { branding: { hide_powered_by: false } } })).status).toBe(200)
  expect((await call('PATCH', path, { key, body: { branding: { hide_powered_by: true } } })).status).toBe(403)
})
