import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { giveCredits, openApp, startConversation } from './chat.ts'

testApi('the chat history lists conversations newest first, page by page', async (client) => {
  const { call, world } = client
  const { conversation } = await startConversation(client)
  const stored = world.records.conversations
    .all()
    .filter(({ app }) => app === openApp)
    .map(({ id }) => id)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await call('GET', `/v1/apps/${openApp}/conversations?limit=3${cursor && `&cursor=${cursor}`}`)
    expect(body.data.length).toBeLessThanOrEqual(3)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
  }
  expect(seen[0]).toBe(conversation.id)
  expect(seen).toEqual(stored.toReversed())
})

testApi('a list shows what was said since it was last asked for', async (client) => {
  const { call } = client
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  const newest = async () => (await call('GET', `/v1/apps/${openApp}/conversations?limit=1`)).body.data[0]
  expect(await newest()).toEqual(conversation)
  await call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  expect(await newest()).toEqual({ ...conversation, message_count: 2, last_message_at: conversation.created_at })
})

testApi('messages are listed the latest first, the answer over its question', async (client) => {
  const { call } = client
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  const answer = (await call('POST', `${path}/messages`, { body: { content: 'Why are the leaves yellow?' } })).body
  const { body } = await call('GET', `${path}/messages`)
  expect(body).toEqual({
    data: [
      answer,
      {
        id: answer.reply_to,
        conversation_id: conversation.id,
        role: 'user',
        content: 'Why are the leaves yellow?',
        reply_to: null,
        credits: 0,
        created_at: conversation.created_at,
      },
    ],
    has_more: false,
    next_cursor: null,
  })
})

testApi('reading takes analytics:read and writing apps:write', async (client) => {
  const { path } = await startConversation(client)
  for (const read of [
    path,
    `${path}/messages`,
    `/v1/apps/${openApp}/conversations`,
    `/v1/apps/${openApp}/users`,
    `/v1/apps/${openApp}/usage`,
  ])
    expect((await client.call('GET', read, { key: 'key_readonly' })).status, read).toBe(200)
  for (const write of [`/v1/apps/${openApp}/conversations`, `${path}/messages`, `${path}/end`])
    expect(await client.call('POST', write, { key: 'key_readonly', body: { content: 'x' } }), write).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_permissions' } },
    })
})
