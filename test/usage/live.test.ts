import { expect } from 'vitest'
import { giveCredits, openApp, startConversation } from '../conversations/chat.ts'
import { testApi } from '../support/test-api.ts'

testApi('a message that is sent shows up in the bucket of its time at once', async (client) => {
  const { call, world } = client
  giveCredits(client, 10)
  const today = async () => (await call('GET', `/v1/apps/${openApp}/usage?from=2026-03-01&to=2026-03-03`)).body
  const before = await today()
  const { path } = await startConversation(client)
  await call('POST', `${path}/messages`, { body: { content: 'Today' } })
  world.clock.advance('1d')
  await call('POST', `${path}/messages`, { body: { content: 'Tomorrow' } })
  const { totals, buckets } = await today()
  expect(totals).toEqual({
    ...before.totals,
    messages: before.totals.messages + 4,
    conversations: before.totals.conversations + 1,
    credits: before.totals.credits + 2,
  })
  expect(buckets[1]).toMatchObject({ start: '2026-03-02T00:00:00.000Z', messages: 2, conversations: 0, credits: 1 })
})
