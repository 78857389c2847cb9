import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { fillApps } from './walk.ts'
import { openApp } from '../conversations/chat.ts'

const everyField = {
  name: 'fern-guide',
  display_name: 'Fern Guide',
  description: 'Knows all about ferns',
  model: 'sprout-large',
  system_prompt: 'You are Fern Guide.',
  welcome_message: 'Hello, fern friend!',
  login_required: true,
}

testApi(
  'a created app comes back with every field that was sent, an id and two times',
  async ({ call, world }) => {
    world.clock.set(start)
    const { status, body } = await call('POST', '/v1/apps', { body: everyField })
    expect(status).toBe(201)
    const id = expect.stringMatching(/^app_[a-z2-7]{16}$/)
    expect(body).toEqual({ ...everyField, id, created_at: start, updated_at: start })
  },
)

const nulls = {
  display_name: null,
  description: null,
  model: null,
  system_prompt: null,
  welcome_message: null,
}

testApi(
  'an app needs only a name; the other fields are null and login is not required',
  async ({ call, world }) => {
    world.clock.set(start)
    for (const asked of [{ name: 'bare' }, { name: 'bare', ...nulls }]) {
      const { status, body } = await call('POST', '/v1/apps', { body: asked })
      expect(status).toBe(201)
      const made = {
        id: expect.any(String),
        login_required: false,
        created_at: start,
        updated_at: start,
      }
      expect(body).toEqual({ ...made, name: 'bare', ...nulls })
    }
  },
)

testApi('text in any script and with markup comes back as it was sent', async ({ call }) => {
  const body = {
    name: 'фикус 🪴 <b>&amp;</b>',
    description: '"\\\u0000\u2028\n\t',
    welcome_message: '',
  }
  const created = await call('POST', '/v1/apps', { body })
  expect(created.status).toBe(201)
  expect((await call('GET', `/v1/apps/${created.body.id}`)).body).toMatchObject(body)
})

const noNames = [
  '{"name":12345678901234567890}',
  '{"__proto__":{"name":"inherited"},"n":12345678901234567}',
]

/** Bodies by the field that the message begins with. */
const invalid: Record<string, unknown[]> = {
  name: [
    ...noNames,
    {},
    { name: null },
    { name: '' },
    { name: 1 },
    { name: ['x'] },
    { display_name: 'no name' },
  ],
  display_name: [{ name: 'x', display_name: 1 }],
  description: [{ name: 'x', description: [] }],
  model: [{ name: 'x', model: {} }],
  system_prompt: [{ name: 'x', system_prompt: true }],
  welcome_message: [{ name: 'x', welcome_message: 0 }],
  login_required: ['true', null, 1].map((login_required) => ({ name: 'x', login_required })),
  'The body must be a JSON object': ['[]', 'null', '"name"'],
}

testApi(
  'a body that is no new app is 400 with the field, and makes nothing',
  async ({ call, world }) => {
    const before = world.records.apps.count()
    for (const [about, bodies] of Object.entries(invalid))
      for (const body of bodies) {
        const { status, body: answer } = await call('POST', '/v1/apps', { body })
        expect([status, answer.error.code], JSON.stringify(body)).toEqual([400, 'invalid_request'])
        expect(answer.error.message.startsWith(about), answer.error.message).toBe(true)
      }
    expect(world.records.apps.count()).toBe(before)
  },
)

const caps = { free: 5, lite: 50, pro: 100, pro_plus: 1_000 }

for (const [plan, cap] of Object.entries(caps))
  testApi(`the plan ${plan} permits ${cap} apps, and one more is 403`, async ({ call, world }) => {
    fillApps(world, `acct_${plan}`, cap - 1)
    expect(
      (await call('POST', '/v1/apps', { key: `key_${plan}`, body: { name: 'last' } })).status,
    ).toBe(201)
    const { status, body } = await call('POST', '/v1/apps', {
      key: `key_${plan}`,
      body: { name: 'one too many' },
    })
    expect(status).toBe(403)
    const message = expect.stringContaining(String(cap))
    expect(body.error).toMatchObject({ code: 'insufficient_permissions', message })
    expect(world.records.apps.count()).toBe(cap)
  })

testApi('ten creations at once succeed up to the limit of the plan', async ({ call, world }) => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([
    201,
    201,
    201,
    ...Array<number>(7).fill(403),
  ])
  expect(world.records.apps.find((app) => app.account === 'acct_free')).toHaveLength(5)
})

testApi(
  'a plan that changes changes the cap of the very next creation',
  async ({ call, world }) => {
    fillApps(world, 'acct_free', 5)
    await world.records.accounts.update('acct_free', { plan: 'lite' })
    expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(
      201,
    )
    await world.records.accounts.update('acct_free', { plan: 'free' })
    expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(
      403,
    )
    expect((await call('GET', '/v1/apps', { key: 'key_free' })).body.data).toHaveLength(6)
  },
)

const path = '/v1/apps/app_w33c4cwmhfyfktiv'

testApi('fields that are not known are ignored, and do not come back', async ({ call }) => {
  const created = await call('POST', '/v1/apps', {
    body: { name: 'x', colour: 'green', account: 'acct_free' },
  })
  expect(created.status).toBe(201)
  expect(created.body).not.toHaveProperty('colour')
  expect(created.body).not.toHaveProperty('account')
  expect((await call('GET', `/v1/apps/${created.body.id}`)).status).toBe(200)
  const updated = await call('PATCH', path, { body: { colour: 'green' } })
  expect(updated.status).toBe(200)
  expect(updated.body).not.toHaveProperty('colour')
})

testApi(
  'with apps.unknown-fields=reject they are 400 that names the field',
  async ({ call, world }) => {
    world.assume('apps.unknown-fields', 'reject')
    const before = world.records.apps.all()
    for (const unknown of [
      'colour',
      'Name',
      'id',
      'account',
      'created_at',
      '__proto__',
      'constructor',
      'toString',
    ]) {
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

testApi(
  'apps.unknown-fields=reject refuses nested fields too, all of them in one message',
  async ({ call, world }) => {
    world.assume('apps.unknown-fields', 'reject')
    const started = await call('POST', `${path}/conversations`, {
      body: { user: { email: 'a@example.com', nmae: 'A' }, platfrom: 'web', user_id: null },
    })
    expect(started.status).toBe(400)
    expect(started.body.error.message).toBe(
      '"user.nmae" is not a field of this request. Did you mean "user.name"? "platfrom" is not a field of this request. Did you mean "platform"?',
    )
    const deployed = await call('POST', `${path}/deployments`, {
      body: { branding: { primary_colour: '#112233' } },
    })
    expect(deployed.body.error.message).toBe(
      '"branding.primary_colour" is not a field of this request. Did you mean "branding.primary_color"?',
    )
    const sound = { body: { user: { email: 'a@example.com', name: 'A' } } }
    expect((await call('POST', `${path}/conversations`, sound)).status).toBe(201)
  },
)

const app = `/v1/apps/${openApp}`
const paths = ['/v1/apps', app, '/v1/account', '/v1/webhooks', '/v1/plans', `${app}/usage`]

testApi('query parameters that an operation does not have are ignored', async ({ call }) => {
  for (const path of paths)
    expect((await call('GET', `${path}?limt=1&expand=all`)).status, path).toBe(200)
})

testApi(
  'with apps.unknown-query=reject they are 400 that names them all',
  async ({ call, world }) => {
    world.assume('apps.unknown-query', 'reject')
    for (const path of paths)
      expect(await call('GET', `${path}?expand=all`), path).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'invalid_request',
            message: '"expand" is not a query parameter of this operation.',
          },
        },
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
  },
)

for (const [value, longest] of [
  ['16384', 16_384],
  ['1000', 1_000],
] as const) {
  testApi(
    `${longest} characters fit, one more is 400 naming the field (apps.text-length=${value})`,
    async ({ call, world }) => {
      world.assume('apps.text-length', value)
      const fits = await call('POST', '/v1/apps', {
        body: { name: 'x', description: 'd'.repeat(longest) },
      })
      expect(fits.status).toBe(201)
      expect(fits.body.description).toHaveLength(longest)
      const wide = await call('POST', '/v1/apps', {
        body: { name: 'x', description: '🌱'.repeat(longest) },
      })
      expect(wide.status).toBe(201)
      const before = world.records.apps.all()
      const refused = await call('POST', '/v1/apps', {
        body: { name: 'x', description: 'd'.repeat(longest + 1) },
      })
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
    await call('POST', `${app}/deployments`, {
      body: { domain: 'a.example.com', branding: { name: long } },
    }),
    await call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/', events: ['app.created', long] },
    }),
    await call('POST', '/v1/apps', { body: { name: 'x', anything: [{ deep: long }] } }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(400)
    expect(body.error.message.length).toBeLessThan(1_000)
  }
  expect(answers[3]!.body.error.message).toBe(
    'anything[0].deep must have at most 16384 characters.',
  )
})

testApi('a message that shortens what was sent cuts no character in two', async ({ call }) => {
  const { status, body } = await call('GET', `/v1/apps/x${encodeURIComponent('🌱'.repeat(200))}`)
  expect(status).toBe(404)
  expect(body.error.message).toContain('🌱… (401 characters)')
  expect(() => encodeURIComponent(body.error.message)).not.toThrow()
})

testApi('plants have no such bound: a name may be as long as a body', async ({ call }) => {
  expect(
    (await call('POST', '/plants', { body: { id: 5_001, name: 'x'.repeat(20_000) } })).status,
  ).toBe(200)
})
