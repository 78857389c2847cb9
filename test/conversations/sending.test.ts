import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { creditsOf, giveCredits, openApp, readEvents, startConversation, stream } from './chat.ts'

testApi('a message is answered by the assistant and costs one credit', async (client) => {
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  const content = 'How often should I water a fern?'
  const { status, body } = await client.call('POST', `${path}/messages`, { body: { content } })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^msg_[a-z2-7]{16}$/),
    conversation_id: conversation.id,
    role: 'assistant',
    content: expect.stringContaining('How often should I water a fern?'),
    reply_to: expect.stringMatching(/^msg_[a-z2-7]{16}$/),
    credits: 1,
    created_at: start,
  })
  expect(creditsOf(client)).toBe(9)
})

testApi('the same seed and prompt give the same answer, and another seed or prompt a different one', async (client) => {
  const ask = async (seed: number, prompt: string) => {
    client.world.reset({ seed, now: start })
    giveCredits(client, 10)
    const { path } = await startConversation(client)
    return (await client.call('POST', `${path}/messages`, { body: { content: prompt } })).body.content
  }
  const answers = [await ask(1, 'One?'), await ask(1, 'One?'), await ask(1, 'Two?'), await ask(7, 'One?')]
  expect(answers[1]).toBe(answers[0])
  expect(new Set(answers).size).toBe(3)
})

testApi('an answer is an opening, what was asked, advice and a closing, whichever these are', async (client) => {
  giveCredits(client, 50)
  const { path } = await startConversation(client)
  for (let number = 0; number < 50; number++) {
    const { body } = await client.call('POST', `${path}/messages`, { body: { content: `And ${number}?` } })
    expect(body.content).toMatch(/^[A-Z][\w ]+\. You asked .+: “And \d+\?” [A-Z].+\. [A-Z].+[.?]$/)
  }
})

testApi('without credits nothing is said, and the last one is spent once', async (client) => {
  giveCredits(client, 1)
  const { path } = await startConversation(client)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => client.call('POST', `${path}/messages`, { body: { content: 'Hello' } })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403])
  expect(answers.find(({ status }) => status === 403)!.body.error).toMatchObject({ code: 'insufficient_credits' })
  expect(creditsOf(client)).toBe(0)
  expect((await client.call('GET', `${path}/messages`)).body.data).toHaveLength(2)
})

testApi('a streamed message comes word by word and then whole', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const response = await stream(client, path)
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
    200,
    'text/event-stream',
    null,
  ])
  const chunks: string[] = []
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) chunks.push(chunk)
  const events = readEvents(chunks.join(''))
  const { data: message } = events.at(-1)!
  const deltas = Array(events.length - 1).fill('message.delta')
  expect(events.map(({ event }) => event)).toEqual([...deltas, 'message.completed'])
  expect(events.length).toBeGreaterThan(5)
  expect(chunks.length, 'it did not come in one piece').toBeGreaterThan(1)
  const words = events.slice(0, -1).map(({ data }) => data.delta.content)
  expect(words.join('')).toBe(message.content)
  expect((await client.call('GET', `${path}/messages?limit=1`)).body.data).toEqual([message])
  expect(creditsOf(client)).toBe(9)
})

testApi('a streamed message is in the journal whole, and no cache keeps it', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const response = await stream(client, path)
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const text = await response.text()
  expect(client.world.journal.calls({ operation: 'messages.create' }).map((call) => call.response.body)).toEqual([text])
})

testApi('messages.stream.status is the status of a streamed answer', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const statuses: number[] = []
  for (const status of ['200', '201'] as const) {
    client.world.assume('messages.stream.status', status)
    const response = await stream(client, path)
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
    for (const stream of [false, true])
      expect(await client.call('POST', `${path}/messages`, { body: { content: 'Hi', stream } })).toMatchObject({
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
