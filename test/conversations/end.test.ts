import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { creditsOf, giveCredits, startConversation } from './chat.ts'

testApi('a conversation ends once, and nothing more can be said in it', async (client) => {
  const { call, world } = client
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  world.clock.advance('5m')
  const ended = { ...conversation, status: 'ended', ended_at: '2026-03-01T12:05:30.000Z' }
  expect(await call('POST', `${path}/end`)).toMatchObject({ status: 200, body: ended })
  expect((await call('GET', path)).body).toEqual(ended)
  expect(await call('POST', `${path}/end`)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  expect(await call('POST', `${path}/messages`, { body: { content: 'Still there?' } })).toMatchObject({ status: 400 })
  expect(creditsOf(client)).toBe(10)
  expect(conversation.created_at).toBe(start)
})
