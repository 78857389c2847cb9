import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { creditsOf, giveCredits, readEvents, startConversation } from './chat.ts'

testApi('a streamed message comes word by word and then whole', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const init = {
    method: 'POST',
    headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Hello', stream: true }),
  }
  const response = await client.send(`${path}/messages`, init)
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
    200,
    'text/event-stream',
    null,
  ])
  const chunks: string[] = []
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) chunks.push(chunk)
  const events = readEvents(chunks.join(''))
  const { data: message } = events.at(-1)!
  expect(events.map(({ event }) => event)).toEqual([
    ...Array(events.length - 1).fill('message.delta'),
    'message.completed',
  ])
  expect(events.length).toBeGreaterThan(5)
  expect(chunks.length, 'it did not come in one piece').toBeGreaterThan(1)
  expect(
    events
      .slice(0, -1)
      .map(({ data }) => data.delta.content)
      .join(''),
  ).toBe(message.content)
  expect((await client.call('GET', `${path}/messages?limit=1`)).body.data).toEqual([message])
  expect(creditsOf(client)).toBe(9)
})

testApi('a streamed message that can not be is an error as any other', async (client) => {
  giveCredits(client, 0)
  const { path } = await startConversation(client)
  expect(await client.call('POST', `${path}/messages`, { body: { content: 'Hello', stream: true } })).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_credits' } },
  })
})

testApi('a streamed message is in the journal whole, and no cache keeps it', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const response = await client.send(`${path}/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
    body: '{"content":"Hello","stream":true}',
  })
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const text = await response.text()
  expect(client.world.journal.calls({ operation: 'messages.create' }).map((call) => call.response.body)).toEqual([text])
})
