import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { creditsOf, giveCredits, openApp, startConversation } from './chat.ts'

testApi('messages.stream.status is the status of a streamed answer', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const init = {
    method: 'POST',
    headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
    body: '{"content":"Hi","stream":true}',
  }
  const statuses: number[] = []
  for (const status of ['200', '201'] as const) {
    client.world.assume('messages.stream.status', status)
    const response = await client.send(`${path}/messages`, init)
    await response.text()
    statuses.push(response.status)
  }
  expect(statuses).toEqual([200, 201])
})

testApi('messages.no-credits is the status where the credits do not suffice', async (client) => {
  giveCredits(client, 0)
  const { path } = await startConversation(client)
  for (const status of ['403', '400'] as const) {
    client.world.assume('messages.no-credits', status)
    expect(await client.call('POST', `${path}/messages`, { body: { content: 'Hi' } })).toMatchObject({
      status: Number(status),
      body: { error: { code: 'insufficient_credits' } },
    })
  }
  expect(creditsOf(client)).toBe(0)
})

testApi("usage.messages counts both sides' messages, or the users' alone", async (client) => {
  giveCredits(client, 10)
  const count = async () => (await client.call('GET', `/v1/apps/${openApp}/usage?from=2026-03-01`)).body.totals.messages
  const { path } = await startConversation(client)
  const before = await count()
  await client.call('POST', `${path}/messages`, { body: { content: 'Hi' } })
  expect(await count()).toBe(before + 2)
  client.world.assume('usage.messages', 'user')
  expect(await count()).toBe(before / 2 + 1)
})
