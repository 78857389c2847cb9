import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { putWebhook } from '../webhooks/open.ts'
import {
  creditsOf,
  giveCredits,
  loginApp,
  openApp,
  readEvents,
  startConversation,
  stream,
} from './chat.ts'

testApi(
  'a conversation starts with nobody in particular, also without a body',
  async ({ call }) => {
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
      const { status, body: conversation } = await call(
        'POST',
        `/v1/apps/${openApp}/conversations`,
        { body },
      )
      expect({ status, conversation }).toEqual({ status: 201, conversation: expected })
      expect(
        (await call('GET', `/v1/apps/${openApp}/conversations/${conversation.id}`)).body,
      ).toEqual(conversation)
    }
  },
)

testApi('an address signs a user up once, whatever its letter case', async ({ call, world }) => {
  const before = world.records.users.count()
  const first = await call('POST', `/v1/apps/${loginApp}/conversations`, {
    body: { user: { email: 'New.User@Example.com', name: 'New User' }, platform: 'ios' },
  })
  const body = { user: { email: 'new.user@example.com' } }
  const again = await call('POST', `/v1/apps/${loginApp}/conversations`, { body })
  expect(first.body).toMatchObject({ user_id: expect.stringMatching(/^usr_/), platform: 'ios' })
  expect(again.body.user_id).toBe(first.body.user_id)
  expect(world.records.users.count()).toBe(before + 1)
  expect((await call('GET', `/v1/apps/${loginApp}/users?limit=1`)).body.data).toEqual([
    { id: first.body.user_id, email: 'new.user@example.com', name: 'New User', signup_date: start },
  ])
  expect(
    (
      await call('POST', `/v1/apps/${loginApp}/conversations`, {
        body: { user_id: first.body.user_id },
      })
    ).status,
  ).toBe(201)
})

testApi(
  'an app that requires its users to log in talks to no one else',
  async ({ call, world }) => {
    const before = world.records.conversations.count()
    const stranger = world.records.users.all().find((user) => user.app !== loginApp)!
    const message = 'user_id or user is required: the app requires its users to log in.'
    for (const body of [undefined, {}, { platform: 'web' }])
      expect(
        (await call('POST', `/v1/apps/${loginApp}/conversations`, { body })).body.error,
      ).toMatchObject({ code: 'invalid_request', message })
    for (const body of [
      { user_id: 'usr_nobody' },
      { user_id: stranger.id },
      { user: { email: 'no address' } },
      { user: {} },
      { platform: 'fax' },
      [],
    ])
      expect(
        await call('POST', `/v1/apps/${loginApp}/conversations`, { body }),
        JSON.stringify(body),
      ).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request' } },
      })
    expect(world.records.conversations.count()).toBe(before)
  },
)

testApi('a list shows what was said since it was last asked for', async (client) => {
  const { call } = client
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  const newest = async () =>
    (await call('GET', `/v1/apps/${openApp}/conversations?limit=1`)).body.data[0]
  expect(await newest()).toEqual(conversation)
  await call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  expect(await newest()).toEqual({
    ...conversation,
    message_count: 2,
    last_message_at: conversation.created_at,
  })
})

testApi('messages are listed the latest first, the answer over its question', async (client) => {
  const { call } = client
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  const answer = (
    await call('POST', `${path}/messages`, { body: { content: 'Why are the leaves yellow?' } })
  ).body
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

testApi('the plus of an offset in a time may be sent as it is', async ({ call }) => {
  const path = `/v1/apps/${openApp}/conversations`
  const { id } = (await call('POST', path, { body: {} })).body
  const list = async (from: string) => {
    const { data } = (await call('GET', `${path}?from=${from}`)).body
    return data.some((one: { id: string }) => one.id === id)
  }
  expect(await list('2026-03-01T14:00:30+02:00')).toBe(true)
  expect(await list('2026-03-01T14:00:31+02:00')).toBe(false)
})

testApi('a conversation ends once, and nothing more can be said in it', async (client) => {
  const { call, world } = client
  giveCredits(client, 10)
  const { path, conversation } = await startConversation(client)
  world.clock.advance('5m')
  const ended = { ...conversation, status: 'ended', ended_at: '2026-03-01T12:05:30.000Z' }
  expect(await call('POST', `${path}/end`)).toMatchObject({ status: 200, body: ended })
  expect((await call('GET', path)).body).toEqual(ended)
  expect(await call('POST', `${path}/end`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request' } },
  })
  expect(
    await call('POST', `${path}/messages`, { body: { content: 'Still there?' } }),
  ).toMatchObject({ status: 400, body: { error: { message: 'The conversation has ended.' } } })
  expect(creditsOf(client)).toBe(10)
  expect(conversation.created_at).toBe(start)
})

testApi(
  'events tell of the message, of who signed up, of the end, and of credits that run out',
  async (client) => {
    const seen: [string, any][] = []
    giveCredits(client, 11)
    const events = [
      'user.signed_up',
      'message.sent',
      'condition.met',
      'conversation.ended',
    ] as const
    await putWebhook(client.world, 'wh_all', { events: [...events] })
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
    expect(seen.map(([type]) => type)).toEqual(events)
    expect(seen[1]![1]).toEqual({
      type: 'message.sent',
      timestamp: '2026-03-01T12:02:00.000Z',
      data: {
        app_id: openApp,
        app_name: 'bonsai-guide',
        user: { id: conversation.user_id, email: 'a@example.com', name: 'A', signup_date: start },
        conversation: {
          id: conversation.id,
          message_count: 2,
          last_message: 'Hi',
          ai_response: answer.content,
        },
        metadata: { session_duration: 90, platform: 'web' },
      },
    })
  },
)

testApi('a message that there is not is missing in its conversation', async (client) => {
  const { path } = await startConversation(client)
  const { status, body } = await client.call('GET', `${path}/messages/msg_none`)
  expect([status, body.error.message]).toEqual([
    404,
    'The conversation has no message with the id "msg_none".',
  ])
})

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

testApi(
  'the same seed and prompt give the same answer, and another seed or prompt a different one',
  async (client) => {
    const ask = async (seed: number, prompt: string) => {
      client.world.reset({ seed, now: start })
      giveCredits(client, 10)
      const { path } = await startConversation(client)
      return (await client.call('POST', `${path}/messages`, { body: { content: prompt } })).body
        .content
    }
    const answers = [
      await ask(1, 'One?'),
      await ask(1, 'One?'),
      await ask(1, 'Two?'),
      await ask(7, 'One?'),
    ]
    expect(answers[1]).toBe(answers[0])
    expect(new Set(answers).size).toBe(3)
  },
)

testApi(
  'an answer is an opening, what was asked, advice and a closing, whichever these are',
  async (client) => {
    giveCredits(client, 50)
    const { path } = await startConversation(client)
    for (let number = 0; number < 50; number++) {
      const { body } = await client.call('POST', `${path}/messages`, {
        body: { content: `And ${number}?` },
      })
      expect(body.content).toMatch(
        /^[A-Z][\w ]+\. You asked .+: “And \d+\?” [A-Z].+\. [A-Z].+[.?]$/,
      )
    }
  },
)

testApi('an answer quotes the first 60 characters of a longer prompt', async (client) => {
  giveCredits(client, 2)
  const { path } = await startConversation(client)
  const quoted = async (content: string) =>
    (await client.call('POST', `${path}/messages`, { body: { content } })).body.content.match(
      /“(.+)”/,
    )[1]
  const prompt = '\u{1F331}'.repeat(2) + 'x'.repeat(56)
  expect(await quoted(prompt), 'of 60 units').toBe(prompt)
  expect(await quoted(`${'\u{1F331}'.repeat(2)}${'x'.repeat(60)}`)).toBe(
    `${'\u{1F331}'.repeat(2)}${'x'.repeat(58)}…`,
  )
})

testApi('without credits nothing is said, and the last one is spent once', async (client) => {
  giveCredits(client, 1)
  const { path } = await startConversation(client)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      client.call('POST', `${path}/messages`, { body: { content: 'Hello' } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403])
  expect(answers.find(({ status }) => status === 403)!.body.error).toMatchObject({
    code: 'insufficient_credits',
  })
  expect(creditsOf(client)).toBe(0)
  expect((await client.call('GET', `${path}/messages`)).body.data).toHaveLength(2)
})

testApi('a streamed message comes word by word and then whole', async (client) => {
  giveCredits(client, 10)
  const { path } = await startConversation(client)
  const response = await stream(client, path)
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('content-length'),
  ]).toEqual([200, 'text/event-stream', null])
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
  expect(
    client.world.journal.calls({ operation: 'messages.create' }).map((call) => call.response.body),
  ).toEqual([text])
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
      expect(
        await client.call('POST', `${path}/messages`, { body: { content: 'Hi', stream } }),
      ).toMatchObject({
        status: Number(status),
        body: { error: { code: 'insufficient_credits' } },
      })
  }
  expect(creditsOf(client)).toBe(0)
})

testApi("usage.messages counts both sides' messages, or the users' alone", async (client) => {
  giveCredits(client, 10)
  const count = async () =>
    (await client.call('GET', `/v1/apps/${openApp}/usage?from=2026-03-01`)).body.totals.messages
  const { path } = await startConversation(client)
  const before = await count()
  await client.call('POST', `${path}/messages`, { body: { content: 'Hi' } })
  expect(await count()).toBe(before + 2)
  client.world.assume('usage.messages', 'user')
  expect(await count()).toBe(before / 2 + 1)
  const answer = client.world.records.messages.all().at(-1)
  client.world.records.messages.delete(answer!.id)
  expect(await count()).toBe(before / 2 + 1)
})
