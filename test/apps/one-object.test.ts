import { expect } from 'vitest'
import { giveCredits, openApp, readEvents, startConversation, stream } from '../conversations/chat.ts'
import { testApi, type Client } from '../support/test-api.ts'

/** Every item of a list is what can be read by itself. */
async function expectEachReadable(call: Client['call'], list: string): Promise<void> {
  const { data } = (await call('GET', `${list}?limit=5`)).body
  expect(data.length, list).toBeGreaterThan(0)
  for (const one of data) expect(await call('GET', `${list}/${one.id}`)).toMatchObject({ status: 200, body: one })
  expect((await call('GET', `${list}/none_aaaaaaaaaaaaaaaa`)).body.error.code).toBe('not_found')
}

testApi('a user, a message, a delivery and a plan can be read as their lists show them', async (client) => {
  const { call, world } = client
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  await call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  await call('POST', `/v1/apps/${openApp}/conversations`, { body: { user: { email: 'ada@example.com' } } })
  const { body: hook } = await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/' } })
  await call('POST', `/v1/webhooks/${hook.id}/test`)
  await world.settled()
  for (const list of [
    `/v1/apps/${openApp}/users`,
    `${path}/messages`,
    `/v1/webhooks/${hook.id}/deliveries`,
    '/v1/plans',
  ])
    await expectEachReadable(call, list)
})

testApi('a reply to a message names the message that it answers, also at the end of a stream', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const { body: answer } = await client.call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  expect((await client.call('GET', `${path}/messages/${answer.reply_to}`)).body).toMatchObject({
    role: 'user',
    content: 'Hello',
    reply_to: null,
  })
  const answered = await stream(client, path, 'Once more')
  const { data } = readEvents(await answered.text()).at(-1)!
  const { body: asked } = await client.call('GET', `${path}/messages/${data.reply_to}`)
  expect(asked).toMatchObject({ role: 'user', content: 'Once more' })
})

testApi('a conversation is deleted with its messages, and nothing else is', async (client) => {
  const { call, world } = client
  giveCredits(client, 10)
  const [one, other] = [await startConversation(client), await startConversation(client)]
  for (const { path } of [one, other]) await call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  const before = world.records.messages.count()
  expect((await call('DELETE', one.path, { key: 'key_readonly' })).status).toBe(403)
  expect((await call('DELETE', one.path, { key: 'key_free' })).status).toBe(404)
  expect(await call('DELETE', one.path)).toMatchObject({ status: 204, text: '' })
  for (const path of [one.path, `${one.path}/messages`]) expect((await call('GET', path)).status).toBe(404)
  expect((await call('DELETE', one.path)).status).toBe(404)
  expect(world.records.messages.count()).toBe(before - 2)
  expect((await call('GET', `${other.path}/messages`)).body.data).toHaveLength(2)
})
