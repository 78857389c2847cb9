import { expect } from 'vitest'
import { openApp } from '../conversations/chat.ts'
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

testApi('with apps.unknown-fields=reject they are 400 that names the field', async ({ call, world }) => {
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
  const sound = { body: { user: { email: 'a@example.com', name: 'A' } } }
  expect((await call('POST', `${path}/conversations`, sound)).status).toBe(201)
})

const app = `/v1/apps/${openApp}`
const paths = ['/v1/apps', app, '/v1/account', '/v1/webhooks', '/v1/plans', `${app}/usage`]

testApi('query parameters that an operation does not have are ignored', async ({ call }) => {
  for (const path of paths) expect((await call('GET', `${path}?limt=1&expand=all`)).status, path).toBe(200)
})

testApi('with apps.unknown-query=reject they are 400 that names them all', async ({ call, world }) => {
  world.assume('apps.unknown-query', 'reject')
  for (const path of paths)
    expect(await call('GET', `${path}?expand=all`), path).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', message: '"expand" is not a query parameter of this operation.' } },
    })
  const { body } = await call('GET', '/v1/apps?limt=1&ordre=asc&limt=2')
  expect(body.error.message).toBe(
    '"limt" is not a query parameter of this operation. Did you mean "limit"? "ordre" is not a query parameter of this operation. Did you mean "order"?',
  )
  const created = await call('POST', '/v1/apps?dry_run=1', { body: { name: '' } })
  expect(created.body.error.message).toBe(
    'name must not be empty. "dry_run" is not a query parameter of this operation.',
  )
  expect((await call('GET', '/v1/apps?limit=1&order=asc')).status).toBe(200)
})

for (const [value, longest] of [
  ['16384', 16_384],
  ['1000', 1_000],
] as const) {
  testApi(
    `${longest} characters fit, one more is 400 naming the field (apps.text-length=${value})`,
    async ({ call, world }) => {
      world.assume('apps.text-length', value)
      const fits = await call('POST', '/v1/apps', { body: { name: 'x', description: 'd'.repeat(longest) } })
      expect(fits.status).toBe(201)
      expect(fits.body.description).toHaveLength(longest)
      const wide = await call('POST', '/v1/apps', { body: { name: 'x', description: '🌱'.repeat(longest) } })
      expect(wide.status).toBe(201)
      const before = world.records.apps.all()
      const refused = await call('POST', '/v1/apps', { body: { name: 'x', description: 'd'.repeat(longest + 1) } })
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatchObject({
        code: 'invalid_request',
        message: `description must have at most ${longest} characters.`,
      })
      expect(world.records.apps.all()).toEqual(before)
    },
  )
}

testApi('a text that is too long is found wherever it stands in a body', async ({ call }) => {
  const long = 'x'.repeat(16_385)
  const app = '/v1/apps/app_w33c4cwmhfyfktiv'
  const answers = [
    await call('PATCH', app, { body: { system_prompt: long } }),
    await call('POST', `${app}/deployments`, { body: { domain: 'a.example.com', branding: { name: long } } }),
    await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/', events: ['app.created', long] } }),
    await call('POST', '/v1/apps', { body: { name: 'x', anything: [{ deep: long }] } }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(400)
    expect(body.error.message.length).toBeLessThan(1_000)
  }
  expect(answers[3]!.body.error.message).toBe('anything[0].deep must have at most 16384 characters.')
})

testApi('a message that shortens what was sent cuts no character in two', async ({ call }) => {
  const { status, body } = await call('GET', `/v1/apps/x${encodeURIComponent('🌱'.repeat(200))}`)
  expect(status).toBe(404)
  expect(body.error.message).toContain('🌱… (401 characters)')
  expect(() => encodeURIComponent(body.error.message)).not.toThrow()
})

testApi('plants have no such bound: a name may be as long as a body', async ({ call }) => {
  expect((await call('POST', '/plants', { body: { id: 5_001, name: 'x'.repeat(20_000) } })).status).toBe(200)
})
