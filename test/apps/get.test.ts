import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

const id = 'app_7sm4hb54ca5qj6nu'

testApi('an app is got by its id', async ({ call, world }) => {
  const { status, body } = await call('GET', `/v1/apps/${id}`, { key: 'key_free' })
  expect(status).toBe(200)
  expect(body).toEqual({
    id,
    name: 'watering-helper',
    display_name: 'Watering Helper',
    description: 'Reminds people to water',
    model: 'sprout-small',
    system_prompt: 'You are Watering Helper. Answer in two sentences.',
    welcome_message: 'Hello! How can I help your plants today?',
    login_required: false,
    created_at: new Date(world.records.apps.get(id)!.created_at).toISOString(),
    updated_at: body.created_at,
  })
  expect(Date.parse(body.created_at)).toBeLessThan(Date.parse(start))
})

testApi('an id that is percent-encoded is the same id', async ({ call }) => {
  const { body } = await call('GET', `/v1/apps/%61pp%5F7sm4hb54ca5qj6nu`, { key: 'key_free' })
  expect(body.id).toBe(id)
})

testApi('an id that no app has is 404', async ({ call }) => {
  for (const unknown of ['app_aaaaaaaaaaaaaaaa', id.toUpperCase(), '0', '__proto__', 'constructor', 'a%2Fb', '%00']) {
    const { status, body } = await call('GET', `/v1/apps/${unknown}`, { key: 'key_free' })
    expect(status, unknown).toBe(404)
    expect(body.error.code).toBe('not_found')
  }
})
