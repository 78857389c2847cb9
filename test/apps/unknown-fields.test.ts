import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const path = '/v1/apps/app_w33c4cwmhfyfktiv'

testApi('fields that are not known are ignored, and do not come back', async ({ call }) => {
  const created = await call('POST', '/v1/apps', { body: { name: 'x', colour: 'green', account: 'acct_free' } })
  expect(created.status).toBe(201)
  expect(created.body).not.toHaveProperty('colour')
  expect(created.body).not.toHaveProperty('account')
  expect((await call('GET', `/v1/apps/${created.body.id}`)).status).toBe(200)
  const updated = await call('PATCH', path, { body: { colour: 'green' } })
  expect(updated.status).toBe(200)
  expect(updated.body).not.toHaveProperty('colour')
})

testApi(
  'with apps.unknown-fields=reject they are 400 that names the field, and nothing changes',
  async ({ call, world }) => {
    world.assume('apps.unknown-fields', 'reject')
    const before = world.records.apps.all()
    for (const unknown of ['colour', 'Name', 'id', 'account', 'created_at', '__proto__', 'constructor', 'toString']) {
      const fields = `"description":"x","${unknown}":{"a":1}`
      const created = await call('POST', '/v1/apps', { body: `{"name":"x",${fields}}` })
      const updated = await call('PATCH', path, { body: `{${fields}}` })
      for (const { status, body } of [created, updated]) {
        expect(status, unknown).toBe(400)
        expect(body.error.message).toContain(unknown)
      }
    }
    expect(world.records.apps.all()).toEqual(before)
    expect((await call('PATCH', path, { body: { name: 'known' } })).status).toBe(200)
  },
)

testApi('a field named __proto__ is data: no object inherits from it', async ({ call }) => {
  const { status, body } = await call('POST', '/v1/apps', {
    body: '{"name":"x","__proto__":{"description":"inherited"},"n":12345678901234567}',
  })
  expect(status).toBe(201)
  expect(body.description).toBeNull()
  expect(({} as Record<string, unknown>)['description']).toBeUndefined()
})

testApi('apps.unknown-fields=reject refuses nested fields too, all of them in one message', async ({ call, world }) => {
  world.assume('apps.unknown-fields', 'reject')
  const started = await call('POST', `${path}/conversations`, {
    body: { user: { email: 'a@example.com', nmae: 'A' }, platfrom: 'web', user_id: null },
  })
  expect(started.status).toBe(400)
  expect(started.body.error.message).toBe(
    '"user.nmae" is not a field of this request. Did you mean "user.name"? "platfrom" is not a field of this request. Did you mean "platform"?',
  )
  const deployed = await call('POST', `${path}/deployments`, { body: { branding: { primary_colour: '#112233' } } })
  expect(deployed.body.error.message).toBe(
    '"branding.primary_colour" is not a field of this request. Did you mean "branding.primary_color"?',
  )
  expect(
    (await call('POST', `${path}/conversations`, { body: { user: { email: 'a@example.com', name: 'A' } } })).status,
  ).toBe(201)
})
