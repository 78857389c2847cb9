import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { apps, deploy, deployed, pathOf } from './deploy.ts'

for (const key of Object.keys(apps))
  testApi(`without a domain ${key} gets one of ours, live at once and without DNS`, async ({ call }) => {
    const { status, body } = await deploy(call, {}, { key })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      state: 'live',
      custom_domain: false,
      dns_records: [],
      verify_before: null,
      failure: null,
      live_at: start,
    })
    expect(body.domain).toMatch(/^[a-z-]+\.greenhouse-apps\.example$/)
    expect(body.url).toBe(`https://${body.domain}`)
    expect((await call('POST', `${pathOf(key, body.id)}/verify`, { key })).body).toEqual(body)
  })

testApi('the domain of ours is named after the app, and no two are the same', async ({ call }) => {
  const domains = []
  for (let count = 0; count < 3; count++) domains.push((await deploy(call, {}, { key: 'key_free' })).body.domain)
  expect(domains[0]).toBe('watering-helper.greenhouse-apps.example')
  expect(new Set(domains).size).toBe(3)
  for (const domain of domains) expect(domain).toMatch(/^watering-helper(-[a-z2-7]{16})?\.greenhouse-apps\.example$/)
})

testApi('an app with an odd name gets a domain all the same', async ({ call }) => {
  for (const name of ['植物', '--', ' Ünïcode & Söhne! ', 'x'.repeat(500), `${'x'.repeat(39)}-y`, '__proto__']) {
    const { body: app } = await call('POST', '/v1/apps', { body: { name } })
    const { status, body } = await call('POST', `/v1/apps/${app.id}/deployments`, { body: {} })
    expect(status, name).toBe(201)
    expect(body.domain, name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.greenhouse-apps\.example$/)
  }
})

testApi('a name below ours can be chosen on every plan, but a deeper one or the bare domain not', async ({ call }) => {
  const { status, body } = await deploy(call, { domain: 'mine.greenhouse-apps.example' }, { key: 'key_free' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ state: 'live', custom_domain: false })
  for (const domain of ['greenhouse-apps.example', 'a.b.greenhouse-apps.example'])
    expect((await deploy(call, { domain }, { key: 'key_pro_plus' })).status, domain).toBe(400)
})

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

const domains = [
  ['', 'localhost', 'example..com', '.example.com', 'example.com.', '-a.example.com', 'a-.example.com'],
  ['a_b.example.com', 'chat.example.com/x', 'https://chat.example.com', 'chat.example.com:443'],
  ['user@example.com', '*.example.com', 'a b.example.com', '127.0.0.1', '[::1]', 'bücher.example', '例え.テスト'],
  ['\u212aelvin.example', 'x\n.example', 'chat.example.com\n', `${'a'.repeat(64)}.example.com`],
  [`${'a.'.repeat(126)}abc`, '__proto__'],
  [7, null, true, ['chat.example.com'], {}],
].flat(1)

const brandings = [
  { primary_color: 'green' },
  { primary_color: '#fff' },
  { primary_color: '#12345g' },
  { primary_color: '2e7d32' },
  { primary_color: '#2e7d32ff' },
  { primary_color: 0 },
  { logo_url: 'logo.png' },
  { logo_url: '//example.com/logo.png' },
  { logo_url: 'ftp://example.com/x' },
  { logo_url: 'javascript:alert(1)' },
  { logo_url: 'data:image/png;base64,AA==' },
  { logo_url: '' },
  { logo_url: 1 },
  { name: 1 },
  { hide_powered_by: 'yes' },
  { hide_powered_by: null },
  null,
  'green',
  [],
]

const bodies = [...domains.map((domain) => ({ domain })), ...brandings.map((branding) => ({ branding })), [], 'text']

testApi('a domain or a branding that is none is 400, and nothing is made', async ({ call, world }) => {
  const before = world.records.deployments.all()
  const { id } = before[0]!
  for (const body of bodies)
    for (const [method, path] of [
      ['POST', pathOf()],
      ['PATCH', pathOf('key_pro', id)],
    ] as const) {
      const answer = await call(method, path, { body })
      const what = `${method} ${JSON.stringify(body)}`
      expect([answer.status, answer.body.error.code], what).toEqual([400, 'invalid_request'])
    }
  expect(world.records.deployments.all()).toEqual(before)
})

testApi('an invalid domain is reported before a missing feature of the plan', async ({ call }) => {
  expect((await deploy(call, { domain: 'no host' }, { key: 'key_free' })).status).toBe(400)
  const { body } = await deploy(call, { domain: '-a.b.greenhouse-apps.example' })
  expect(body.error.message).toMatch(/^domain must be a hostname .* \(xn--…\)\.$/)
})

testApi('hostnames that look unusual are taken', async ({ call }) => {
  for (const domain of [
    'xn--bcher-kva.example',
    '1.example',
    'a.b.c.d.example',
    `${'a'.repeat(63)}.example`,
    'a--b.example',
    `${'a.'.repeat(125)}abc`,
  ])
    expect((await deploy(call, { domain })).status, domain).toBe(201)
})

testApi('a taken domain is 400 for any account in any case, and free once its holder is deleted', async ({ call }) => {
  const { path } = await deployed(call)
  for (const key of ['key_pro', 'key_pro_plus']) {
    const { status, body } = await deploy(call, { domain: 'CHAT.example.com' }, { key })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      message: 'domain: "chat.example.com" is taken by another deployment.',
    })
  }
  const other = await deployed(call, 'other.example.com')
  expect((await call('PATCH', other.path, { body: { domain: 'chat.example.com' } })).status).toBe(400)
  await call('DELETE', path)
  expect((await deploy(call, { domain: 'chat.example.com' }, { key: 'key_pro_plus' })).status).toBe(201)
})
