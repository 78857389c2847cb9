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

testApi('an id that no app has is 404', async ({ call }) => {
  for (const unknown of ['app_aaaaaaaaaaaaaaaa', id.toUpperCase(), '0', '__proto__', 'constructor', 'a%2Fb', '%00']) {
    const { status, body } = await call('GET', `/v1/apps/${unknown}`, { key: 'key_free' })
    expect(status, unknown).toBe(404)
    expect(body.error.code).toBe('not_found')
  }
})

const path = '/v1/apps/app_7sm4hb54ca5qj6nu'
const key = 'key_free'

testApi('an update changes the sent fields and the update time alone', async ({ call, world }) => {
  world.clock.set(start)
  const { body: before } = await call('GET', path, { key })
  const changes = { description: 'Waters', login_required: true }
  const { status, body } = await call('PATCH', path, { key, body: changes })
  expect(status).toBe(200)
  expect(body).toEqual({ ...before, ...changes, updated_at: start })
  expect((await call('GET', path, { key })).body).toEqual(body)
})

testApi('every field can be updated, except the id, the account and the times', async ({ call }) => {
  const { body: before } = await call('GET', path, { key })
  const changes = {
    name: 'renamed',
    display_name: 'Renamed',
    description: 'D',
    model: 'M',
    system_prompt: 'S',
    welcome_message: 'W',
    login_required: true,
  }
  const fixed = {
    id: 'app_bbbbbbbbbbbbbbbb',
    account: 'acct_pro',
    created_at: '2001-01-01T00:00:00.000Z',
    updated_at: '2001-01-01T00:00:00.000Z',
  }
  const { status, body } = await call('PATCH', path, { key, body: { ...changes, ...fixed } })
  expect(status).toBe(200)
  expect(body).toEqual({ ...before, ...changes, updated_at: expect.not.stringMatching(/^2001/) })
  expect((await call('GET', path, { key })).body).toEqual(body)
})

testApi('null clears a text field', async ({ call }) => {
  for (const field of ['display_name', 'description', 'model', 'system_prompt', 'welcome_message']) {
    const { status } = await call('PATCH', path, { key, body: { [field]: null } })
    expect(status, field).toBe(200)
  }
  const { body } = await call('GET', path, { key })
  expect(body).toMatchObject({
    display_name: null,
    description: null,
    model: null,
    system_prompt: null,
    welcome_message: null,
    name: 'watering-helper',
  })
})

testApi('an updated app keeps its place in the list', async ({ call }) => {
  const { body: before } = await call('GET', '/v1/apps', { key })
  await call('PATCH', path, { key, body: { name: 'renamed' } })
  const { body: after } = await call('GET', '/v1/apps', { key })
  expect(after.data.map(({ id }: { id: string }) => id)).toEqual(before.data.map(({ id }: { id: string }) => id))
})

testApi('a deleted app is gone, alone and from the list', async ({ call }) => {
  const { status, text } = await call('DELETE', path, { key })
  expect(status).toBe(204)
  expect(text).toBe('')
  expect((await call('GET', path, { key })).status).toBe(404)
  const { body } = await call('GET', '/v1/apps', { key })
  expect(body.data.map((app: { name: string }) => app.name)).toEqual(['plant-doctor'])
})
