import { expect } from 'vitest'
import { type Client, start, testApi } from '../support/test-api.ts'
import {
  giveCredits,
  openApp,
  readEvents,
  startConversation,
  stream,
} from '../conversations/chat.ts'

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
  for (const unknown of [
    'app_aaaaaaaaaaaaaaaa',
    id.toUpperCase(),
    '0',
    '__proto__',
    'constructor',
    'a%2Fb',
    '%00',
  ]) {
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

testApi(
  'every field can be updated, except the id, the account and the times',
  async ({ call }) => {
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
  },
)

testApi('null clears a text field', async ({ call }) => {
  for (const field of [
    'display_name',
    'description',
    'model',
    'system_prompt',
    'welcome_message',
  ]) {
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
  expect(after.data.map(({ id }: { id: string }) => id)).toEqual(
    before.data.map(({ id }: { id: string }) => id),
  )
})

testApi('a deleted app is gone, alone and from the list', async ({ call }) => {
  const { status, text } = await call('DELETE', path, { key })
  expect(status).toBe(204)
  expect(text).toBe('')
  expect((await call('GET', path, { key })).status).toBe(404)
  const { body } = await call('GET', '/v1/apps', { key })
  expect(body.data.map((app: { name: string }) => app.name)).toEqual(['plant-doctor'])
})

const ofLite = 'app_ie2w6uf7yst6qjzf'
const unknown = 'app_aaaaaaaaaaaaaaaa'

testApi(
  "another account's app is 404, like a missing one, and does not change",
  async ({ call, world }) => {
    const before = world.records.apps.get(ofLite)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'stolen' } : undefined
      const foreign = await call(method, `/v1/apps/${ofLite}`, { body })
      const missing = await call(method, `/v1/apps/${unknown}`, { body })
      expect(foreign.status, method).toBe(404)
      expect(foreign.body.error.code).toBe(missing.body.error.code)
      expect(foreign.body.error.message.replace(ofLite, unknown)).toBe(missing.body.error.message)
    }
    expect(world.records.apps.get(ofLite)).toEqual(before)
  },
)

testApi('an app belongs to the account, not to the key that made it', async ({ call, world }) => {
  await world.records.keys.create({ secret: 'key_pro_second', account: 'acct_pro' })
  const { body } = await call('POST', '/v1/apps', { body: { name: 'shared' } })
  expect((await call('GET', `/v1/apps/${body.id}`, { key: 'key_pro_second' })).body).toEqual(body)
  expect((await call('DELETE', `/v1/apps/${body.id}`, { key: 'key_pro_second' })).status).toBe(204)
})

testApi(
  'the scope is asked for before the body is read and before the app is looked for',
  async ({ call }) => {
    expect((await call('POST', '/v1/apps', { key: 'key_readonly', body: '{' })).status).toBe(403)
    expect(
      (await call('DELETE', '/v1/apps/app_aaaaaaaaaaaaaaaa', { key: 'key_readonly' })).status,
    ).toBe(403)
  },
)

/** Every item of a list is what can be read by itself. */
async function expectEachReadable(call: Client['call'], list: string): Promise<void> {
  const { data } = (await call('GET', `${list}?limit=5`)).body
  expect(data.length, list).toBeGreaterThan(0)
  for (const one of data)
    expect(await call('GET', `${list}/${one.id}`)).toMatchObject({ status: 200, body: one })
  expect((await call('GET', `${list}/none_aaaaaaaaaaaaaaaa`)).body.error.code).toBe('not_found')
}

testApi(
  'a user, a message, a delivery and a plan can be read as their lists show them',
  async (client) => {
    const { call, world } = client
    giveCredits(client, 10)
    const { path } = await startConversation(client)
    await call('POST', `${path}/messages`, { body: { content: 'Hello' } })
    await call('POST', `/v1/apps/${openApp}/conversations`, {
      body: { user: { email: 'ada@example.com' } },
    })
    const { body: hook } = await call('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/' },
    })
    await call('POST', `/v1/webhooks/${hook.id}/test`)
    await world.settled()
    for (const list of [
      `/v1/apps/${openApp}/users`,
      `${path}/messages`,
      `/v1/webhooks/${hook.id}/deliveries`,
      '/v1/plans',
    ])
      await expectEachReadable(call, list)
  },
)

testApi(
  'a reply to a message names the message that it answers, also at the end of a stream',
  async (client) => {
    giveCredits(client, 10)
    const { path } = await startConversation(client)
    const { body: answer } = await client.call('POST', `${path}/messages`, {
      body: { content: 'Hello' },
    })
    expect((await client.call('GET', `${path}/messages/${answer.reply_to}`)).body).toMatchObject({
      role: 'user',
      content: 'Hello',
      reply_to: null,
    })
    const answered = await stream(client, path, 'Once more')
    const { data } = readEvents(await answered.text()).at(-1)!
    const { body: asked } = await client.call('GET', `${path}/messages/${data.reply_to}`)
    expect(asked).toMatchObject({ role: 'user', content: 'Once more' })
  },
)

testApi('a conversation is deleted with its messages, and nothing else is', async (client) => {
  const { call, world } = client
  giveCredits(client, 10)
  const [one, other] = [await startConversation(client), await startConversation(client)]
  for (const { path } of [one, other])
    await call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  const before = world.records.messages.count()
  expect((await call('DELETE', one.path, { key: 'key_readonly' })).status).toBe(403)
  expect((await call('DELETE', one.path, { key: 'key_free' })).status).toBe(404)
  expect(await call('DELETE', one.path)).toMatchObject({ status: 204, text: '' })
  for (const path of [one.path, `${one.path}/messages`])
    expect((await call('GET', path)).status).toBe(404)
  expect((await call('DELETE', one.path)).status).toBe(404)
  expect(world.records.messages.count()).toBe(before - 2)
  expect((await call('GET', `${other.path}/messages`)).body.data).toHaveLength(2)
})
