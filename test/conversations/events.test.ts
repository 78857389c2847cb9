import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { giveCredits, openApp } from './chat.ts'

testApi('events tell of the message, of who signed up, of the end, and of credits that run out', async (client) => {
  const seen: [string, any][] = []
  giveCredits(client, 11)
  await client.world.records.webhooks.create({
    id: 'wh_all',
    account: 'acct_pro',
    app: null,
    url: 'http://127.0.0.1:9/none',
    events: ['user.signed_up', 'message.sent', 'condition.met', 'conversation.ended'],
    enabled: true,
    secret: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0',
    created_at: 0,
    updated_at: 0,
  })
  const { body: conversation } = await client.call('POST', `/v1/apps/${openApp}/conversations`, {
    body: { user: { email: 'a@example.com', name: 'A' }, platform: 'web' },
  })
  const path = `/v1/apps/${openApp}/conversations/${conversation.id}`
  client.world.clock.advance('90s')
  const answer = (await client.call('POST', `${path}/messages`, { body: { content: 'Hi' } })).body
  await client.call('POST', `${path}/end`)
  await client.call('GET', '/v1/apps')
  for (const { type, payload, webhook } of client.world.records.deliveries.all())
    if (webhook === 'wh_all') seen.push([type, JSON.parse(payload)])
  expect(seen.map(([type]) => type)).toEqual(['user.signed_up', 'message.sent', 'condition.met', 'conversation.ended'])
  expect(seen[1]![1]).toEqual({
    type: 'message.sent',
    timestamp: '2026-03-01T12:02:00.000Z',
    data: {
      app_id: openApp,
      app_name: 'bonsai-guide',
      user: { id: conversation.user_id, email: 'a@example.com', name: 'A', signup_date: start },
      conversation: { id: conversation.id, message_count: 2, last_message: 'Hi', ai_response: answer.content },
      metadata: { session_duration: 90, platform: 'web' },
    },
  })
})
