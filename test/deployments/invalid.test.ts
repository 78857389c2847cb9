import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deploy, deployed, pathOf } from './deploy.ts'

const domains = [
  '',
  'localhost',
  'example..com',
  '.example.com',
  'example.com.',
  '-a.example.com',
  'a-.example.com',
  'a_b.example.com',
  'chat.example.com/x',
  'https://chat.example.com',
  'chat.example.com:443',
  'user@example.com',
  '*.example.com',
  'a b.example.com',
  '127.0.0.1',
  '[::1]',
  'bücher.example',
  '例え.テスト',
  '\u212aelvin.example',
  'x\n.example',
  'chat.example.com\n',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(126)}abc`,
  '__proto__',
  7,
  null,
  true,
  ['chat.example.com'],
  {},
]

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

testApi(
  'a domain that is no hostname and a branding that is none are 400, and nothing is made',
  async ({ call, world }) => {
    const before = world.records.deployments.all()
    const { id } = before[0]!
    for (const body of bodies)
      for (const [method, path] of [
        ['POST', pathOf()],
        ['PATCH', pathOf('key_pro', id)],
      ] as const) {
        const answer = await call(method, path, { body })
        expect([answer.status, answer.body.error.code], `${method} ${JSON.stringify(body)}`).toEqual([
          400,
          'invalid_request',
        ])
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

testApi('of ten deployments on one domain at once one succeeds', async ({ call }) => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => deploy(call, { domain: 'chat.example.com' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(400)])
})

testApi(
  'unknown fields are ignored, or 400 with apps.unknown-fields=reject, even in the branding',
  async ({ call, world }) => {
    const bodies = [{ colour: 'green' }, { branding: { colour: 'green' } }]
    for (const body of bodies)
      expect((await deploy(call, body)).body.branding).toEqual({
        name: null,
        logo_url: null,
        primary_color: null,
        hide_powered_by: false,
      })
    world.assume('apps.unknown-fields', 'reject')
    for (const body of bodies)
      expect((await deploy(call, body)).body.error.message).toMatch(
        /^"(branding\.)?colour" is not a field of this request\./,
      )
  },
)
