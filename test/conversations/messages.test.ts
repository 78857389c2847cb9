import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { creditsOf, giveCredits, startConversation } from './chat.ts'

testApi('a message is answered by the assistant and costs one credit', async (client) => {
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  const { status, body } = await client.call('POST', `${path}/messages`, {
    body: { content: 'How often should I water a fern?' },
  })
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

testApi('a message that is none is refused and costs nothing', async (client) => {
  giveCredits(client, 5)
  const { path } = await startConversation(client)
  for (const body of [
    {},
    { content: '' },
    { content: 42 },
    { content: 'x'.repeat(32_769) },
    { content: 'x', stream: 'yes' },
    [],
    undefined,
  ])
    expect((await client.call('POST', `${path}/messages`, { body })).status, JSON.stringify(body)?.slice(0, 40)).toBe(
      400,
    )
  expect(creditsOf(client)).toBe(5)
})

testApi('50 parallel sends with one Idempotency-Key are one message', async (client) => {
  giveCredits(client, 50)
  const { path } = await startConversation(client)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      client.call('POST', `${path}/messages`, { body: { content: 'Hello' }, headers: { 'idempotency-key': 'once' } }),
    ),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(creditsOf(client)).toBe(49)
})
