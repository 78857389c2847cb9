import { expect } from 'vitest'
import { type Client, start, testApi } from '../support/test-api.ts'
import { apps, deploy, deployed, pathOf } from './deploy.ts'

for (const key of Object.keys(apps))
  testApi(
    `without a domain ${key} gets one of ours, live at once and without DNS`,
    async ({ call }) => {
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
    },
  )

testApi('the domain of ours is named after the app, and no two are the same', async ({ call }) => {
  const domains = []
  for (let count = 0; count < 3; count++)
    domains.push((await deploy(call, {}, { key: 'key_free' })).body.domain)
  expect(domains[0]).toBe('watering-helper.greenhouse-apps.example')
  expect(new Set(domains).size).toBe(3)
  for (const domain of domains)
    expect(domain).toMatch(/^watering-helper(-[a-z2-7]{16})?\.greenhouse-apps\.example$/)
})

testApi('an app with an odd name gets a domain all the same', async ({ call }) => {
  for (const name of [
    '植物',
    '--',
    ' Ünïcode & Söhne! ',
    'x'.repeat(500),
    `${'x'.repeat(39)}-y`,
    '__proto__',
  ]) {
    const { body: app } = await call('POST', '/v1/apps', { body: { name } })
    const { status, body } = await call('POST', `/v1/apps/${app.id}/deployments`, { body: {} })
    expect(status, name).toBe(201)
    expect(body.domain, name).toMatch(
      /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.greenhouse-apps\.example$/,
    )
  }
})

testApi(
  'a name below ours can be chosen on every plan, but a deeper one or the bare domain not',
  async ({ call }) => {
    const { status, body } = await deploy(
      call,
      { domain: 'mine.greenhouse-apps.example' },
      { key: 'key_free' },
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({ state: 'live', custom_domain: false })
    for (const domain of ['greenhouse-apps.example', 'a.b.greenhouse-apps.example'])
      expect((await deploy(call, { domain }, { key: 'key_pro_plus' })).status, domain).toBe(400)
  },
)

const permitted = {
  key_free: [403, 403],
  key_lite: [403, 403],
  key_pro: [201, 403],
  key_pro_plus: [201, 201],
}

for (const [key, [custom, unbranded]] of Object.entries(permitted))
  testApi(
    `${key} gets ${custom} for a custom domain and ${unbranded} for hide_powered_by`,
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
      expect((await deploy(call, { branding: { hide_powered_by: false } }, { key })).status).toBe(
        201,
      )
    },
  )

testApi('the gates say which plan is needed', async ({ call }) => {
  expect(
    (await deploy(call, { domain: 'chat.example.com' }, { key: 'key_lite' })).body.error.message,
  ).toBe('A custom domain needs the plan Pro or Pro Plus.')
  expect((await deploy(call, { branding: { hide_powered_by: true } })).body.error.message).toBe(
    'branding.hide_powered_by needs the plan Pro Plus.',
  )
})

testApi(
  'a smaller plan keeps existing deployments, and refuses more with 403',
  async ({ call, world }) => {
    const key = 'key_pro_plus'
    const { body } = await deploy(
      call,
      { domain: 'chat.example.com', branding: { hide_powered_by: true } },
      { key },
    )
    const path = pathOf(key, body.id)
    await world.records.accounts.update('acct_pro_plus', { plan: 'free' })
    expect((await call('POST', `${path}/verify`, { key })).body.state).toBe('issuing_certificate')
    world.clock.advance('30s')
    const changed = await call('PATCH', path, {
      key,
      body: { domain: 'chat.example.com', branding: { name: 'x', hide_powered_by: true } },
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      state: 'live',
      branding: { name: 'x', hide_powered_by: true },
    })
    expect((await call('PATCH', path, { key, body: { domain: 'other.example.com' } })).status).toBe(
      403,
    )
    expect(
      (await call('PATCH', path, { key, body: { branding: { hide_powered_by: false } } })).status,
    ).toBe(200)
    expect(
      (await call('PATCH', path, { key, body: { branding: { hide_powered_by: true } } })).status,
    ).toBe(403)
  },
)

const domains = [
  [
    '',
    'localhost',
    'example..com',
    '.example.com',
    'example.com.',
    '-a.example.com',
    'a-.example.com',
  ],
  ['a_b.example.com', 'chat.example.com/x', 'https://chat.example.com', 'chat.example.com:443'],
  [
    'user@example.com',
    '*.example.com',
    'a b.example.com',
    '127.0.0.1',
    '[::1]',
    'bücher.example',
    '例え.テスト',
  ],
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
  { primary_color: 'a#2e7d32' },
  { primary_color: 0 },
  { logo_url: 'logo.png' },
  { logo_url: '//example.com/logo.png' },
  { logo_url: 'ftp://example.com/x' },
  { logo_url: 'xhttp://example.com/x' },
  { logo_url: 'httpx://example.com/x' },
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

const bodies = [
  ...domains.map((domain) => ({ domain })),
  ...brandings.map((branding) => ({ branding })),
  [],
  'text',
]

testApi(
  'a domain or a branding that is none is 400, and nothing is made',
  async ({ call, world }) => {
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
  },
)

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

testApi(
  'a taken domain is 400 for any account in any case, and free once its holder is deleted',
  async ({ call }) => {
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
    expect((await call('PATCH', other.path, { body: { domain: 'chat.example.com' } })).status).toBe(
      400,
    )
    await call('DELETE', path)
    expect(
      (await deploy(call, { domain: 'chat.example.com' }, { key: 'key_pro_plus' })).status,
    ).toBe(201)
  },
)

testApi(
  "an app's deployments are listed, newest first, page by page, as they are got alone",
  async ({ call }) => {
    const fixture = 'dep_q4zxw6c2m5tn7rka'
    const first = (await deploy(call, {})).body
    const second = (await deploy(call, { domain: 'chat.example.com' })).body
    const page = await call('GET', `${pathOf()}?limit=2`)
    expect(page.body).toEqual({
      data: [second, first],
      has_more: true,
      next_cursor: expect.any(String),
    })
    const rest = await call('GET', `${pathOf()}?limit=2&cursor=${page.body.next_cursor}`)
    expect(rest.body).toMatchObject({
      data: [{ id: fixture, state: 'live', domain: 'chat.orchids.example' }],
      has_more: false,
      next_cursor: null,
    })
    expect((await call('GET', pathOf('key_pro', fixture))).body).toEqual(rest.body.data[0])
    expect((await call('GET', '/v1/apps/app_wfr4wqydlhx43ree/deployments')).body.data).toEqual([])
  },
)

testApi(
  'a change of the branding leaves the fields that it does not name, and the state',
  async ({ call, world }) => {
    const branding = { name: 'Chat', primary_color: '#2E7D32' }
    const { body } = await deploy(call, { domain: 'chat.example.com', branding })
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
    const plain = await call('PATCH', pathOf('key_pro', body.id), {
      body: { branding: { logo_url } },
    })
    expect(plain.body.branding).toMatchObject({ logo_url })
  },
)

testApi(
  'a new custom domain starts over, with new records and another 72 hours',
  async ({ call, world }) => {
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
  },
)

testApi('a new domain gets a new certificate', async ({ call, world }) => {
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
  expect(
    (await call('PATCH', path, { body: { domain: 'mine.greenhouse-apps.example' } })).body,
  ).toMatchObject({
    state: 'live',
    custom_domain: false,
    dns_records: [],
  })
})

testApi(
  'a deleted deployment is gone, and what was to come of it does not come',
  async ({ call, world }) => {
    const waiting = await deployed(call, 'a.example.com')
    const issuing = await deployed(call, 'b.example.com')
    await issuing.verify()
    for (const { path } of [waiting, issuing]) {
      const { status, text } = await call('DELETE', path)
      expect([status, text]).toEqual([204, ''])
      expect((await call('GET', path)).status).toBe(404)
      expect((await call('POST', `${path}/verify`)).status).toBe(404)
      expect((await call('DELETE', path)).status).toBe(404)
    }
    world.clock.advance('100h')
    await world.settled()
    expect(
      world.records.deployments.find(({ id }) => [waiting.id, issuing.id].includes(id)),
    ).toEqual([])
  },
)

/**
 * Subscribes an account to the events of deployments. Returns a function that reads what was sent
 * since, the oldest first.
 */
async function listen({ call, world }: Pick<Client, 'call' | 'world'>, key = 'key_pro') {
  const body = { url: 'http://127.0.0.1:4', events: ['deployment.live', 'deployment.failed'] }
  const { id } = (await call('POST', '/v1/webhooks', { key, body })).body
  return async () => {
    await world.settled()
    return world.records.deliveries
      .find(({ webhook }) => webhook === id)
      .map(({ payload }) => JSON.parse(payload))
  }
}

testApi('a deployment that goes live sends deployment.live once', async ({ call, world }) => {
  const events = await listen({ call, world })
  const { verify, look } = await deployed(call)
  await verify()
  expect(await events()).toEqual([])
  world.clock.advance('10m')
  const live = await look()
  await verify()
  const at = new Date(Date.parse(start) + 30_000).toISOString()
  expect(await events()).toEqual([{ type: 'deployment.live', timestamp: at, data: live }])
})

testApi(
  'a deployment without a custom domain sends deployment.live when it is created',
  async ({ call, world }) => {
    const events = await listen({ call, world }, 'key_free')
    const { body } = await deploy(call, {}, { key: 'key_free' })
    expect(await events()).toEqual([{ type: 'deployment.live', timestamp: start, data: body }])
  },
)

testApi(
  'each failure sends an event, and deleted or refused deployments send none',
  async ({ call, world }) => {
    const events = await listen({ call, world })
    const timeout = await deployed(call, 'a.dns-pending.example')
    const mismatch = await deployed(call, 'b.dns-fails.example')
    const refused = await deployed(call, 'c.certificate-fails.example')
    const gone = await deployed(call, 'd.dns-pending.example')
    await deploy(call, { domain: 'a.dns-pending.example' })
    await mismatch.verify()
    await refused.verify()
    await call('DELETE', gone.path)
    world.clock.advance('100h')
    await world.settled()
    const own = (await events()).filter(({ data }) =>
      [timeout, mismatch, refused, gone].some(({ id }) => id === data.id),
    )
    expect(own.map(({ type, data }) => [type, data.id, data.failure.code])).toEqual([
      ['deployment.failed', mismatch.id, 'dns_mismatch'],
      ['deployment.failed', refused.id, 'certificate_failed'],
      ['deployment.failed', timeout.id, 'dns_timeout'],
    ])
  },
)

testApi('a change of the branding sends no event', async ({ call, world }) => {
  const { body } = await deploy(call, {})
  const events = await listen({ call, world })
  await call('PATCH', `/v1/apps/${body.app_id}/deployments/${body.id}`, {
    body: { branding: { name: 'x' } },
  })
  expect(await events()).toEqual([])
})

testApi(
  'a deployment that waits for its certificate waits on after a restore',
  async ({ call, world }) => {
    const { verify, look } = await deployed(call)
    await verify()
    world.snapshot('issuing')
    world.clock.advance('30s')
    expect((await look()).state).toBe('live')
    world.restore('issuing')
    expect((await look()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect((await look()).state).toBe('live')
  },
)

testApi('a deployment that is not there is named in the error', async ({ call }) => {
  expect((await call('GET', pathOf('key_pro', 'dep_none'))).body.error).toMatchObject({
    code: 'not_found',
    message: 'The app has no deployment with the id "dep_none".',
  })
})
