import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

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
