import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { loginApp, openApp } from './chat.ts'

testApi('a conversation starts with nobody in particular, also without a body', async ({ call }) => {
  const expected = {
    id: expect.stringMatching(/^conv_[a-z2-7]{16}$/),
    app_id: openApp,
    user_id: null,
    status: 'active',
    platform: 'api',
    message_count: 0,
    created_at: start,
    last_message_at: null,
    ended_at: null,
  }
  for (const body of [undefined, {}, { user_id: null, user: null }]) {
    const { status, body: conversation } = await call('POST', `/v1/apps/${openApp}/conversations`, { body })
    expect({ status, conversation }).toEqual({ status: 201, conversation: expected })
    expect((await call('GET', `/v1/apps/${openApp}/conversations/${conversation.id}`)).body).toEqual(conversation)
  }
})

testApi('an address signs a user up once, whatever its letter case', async ({ call, world }) => {
  const before = world.records.users.count()
  const first = await call('POST', `/v1/apps/${loginApp}/conversations`, {
    body: { user: { email: 'New.User@Example.com', name: 'New User' }, platform: 'ios' },
  })
  const again = await call('POST', `/v1/apps/${loginApp}/conversations`, {
    body: { user: { email: 'new.user@example.com' } },
  })
  expect(first.body).toMatchObject({ user_id: expect.stringMatching(/^usr_/), platform: 'ios' })
  expect(again.body.user_id).toBe(first.body.user_id)
  expect(world.records.users.count()).toBe(before + 1)
  expect((await call('GET', `/v1/apps/${loginApp}/users?limit=1`)).body.data).toEqual([
    { id: first.body.user_id, email: 'new.user@example.com', name: 'New User', signup_date: start },
  ])
  expect(
    (await call('POST', `/v1/apps/${loginApp}/conversations`, { body: { user_id: first.body.user_id } })).status,
  ).toBe(201)
})

testApi('an app that requires its users to log in talks to no one else', async ({ call, world }) => {
  const before = world.records.conversations.count()
  const stranger = world.records.users.all().find((user) => user.app !== loginApp)!
  for (const body of [
    undefined,
    {},
    { user_id: 'usr_nobody' },
    { user_id: stranger.id },
    { user: { email: 'no address' } },
    { user: {} },
    { platform: 'fax' },
    [],
  ])
    expect(await call('POST', `/v1/apps/${loginApp}/conversations`, { body }), JSON.stringify(body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    })
  expect(world.records.conversations.count()).toBe(before)
})

testApi("another account's app has no conversations for us", async ({ call }) => {
  const foreign = 'app_7sm4hb54ca5qj6nu'
  for (const [method, path] of [
    ['POST', 'conversations'],
    ['GET', 'conversations'],
    ['GET', 'users'],
    ['GET', 'usage'],
  ] as const)
    expect((await call(method, `/v1/apps/${foreign}/${path}`)).status, path).toBe(404)
  const [conversation] = (await call('GET', `/v1/apps/${foreign}/conversations`, { key: 'key_free' })).body.data
  for (const path of [
    `/v1/apps/${foreign}/conversations/${conversation.id}`,
    `/v1/apps/${openApp}/conversations/${conversation.id}`,
  ])
    expect((await call('GET', path)).status, path).toBe(404)
})
