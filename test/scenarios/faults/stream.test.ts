import { expect } from 'vitest'
import { readEvents, startConversation } from '../../conversations/chat.ts'
import { testApi } from '../../support/test-api.ts'
import { faulty } from './among.ts'
import { pause } from './held.ts'
import { read, say } from './stream-client.ts'

testApi(
  'a stream breaks off after so many events, and the message was answered all the same',
  faulty({ kind: 'stream', fails: 'break', events: 3 }),
  async (client) => {
    client.world.use('it')
    const { response, path } = await say(client)
    expect(response.status).toBe(200)
    const { text, error } = await read(response)
    expect(error).toBeInstanceOf(Error)
    expect(readEvents(text).map(({ event }) => event)).toEqual(['message.delta', 'message.delta', 'message.delta'])
    const { data } = (await client.call('GET', `${path}/messages`)).body
    expect(data.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'user'])
    expect(
      data[0].content.startsWith(
        readEvents(text)
          .map(({ data }) => data.delta.content)
          .join(''),
      ),
    ).toBe(true)
  },
)

testApi('without events it breaks off before the first', faulty({ kind: 'stream', fails: 'break' }), async (client) => {
  client.world.use('it')
  const { response } = await say(client)
  expect(response.status).toBe(200)
  expect(await read(response)).toMatchObject({ text: '', error: expect.any(Error) })
})

testApi(
  'a stream that has no more events than that stays whole, and nothing fired',
  faulty({ kind: 'stream', fails: 'break', events: 1_000 }),
  async (client) => {
    client.world.use('it')
    const { text, error } = await read((await say(client)).response)
    expect(error).toBeUndefined()
    expect(readEvents(text).at(-1)!.event).toBe('message.completed')
    expect(client.world.journal.calls({ operation: 'messages.create' }).at(-1)!.scenarios).toEqual([])
  },
)

testApi(
  'a stream ends with an error event that carries an error of the catalogue',
  faulty({ kind: 'stream', fails: 'error', events: 2, error: 'rate_limit_exceeded', message: 'Too much.' }),
  async (client) => {
    client.world.use('it')
    const { response } = await say(client)
    const events = readEvents((await read(response)).text)
    expect(events.map(({ event }) => event)).toEqual(['message.delta', 'message.delta', 'error'])
    expect(events.at(-1)!.data).toEqual({
      error: { code: 'rate_limit_exceeded', message: 'Too much.', request_id: response.headers.get('x-request-id') },
    })
    expect(client.world.journal.calls({ operation: 'messages.create' }).at(-1)).toMatchObject({
      scenarios: ['it'],
      response: { status: 200 },
    })
  },
)

testApi(
  "a stream stops for a time and goes on as the world's clock does",
  faulty({ kind: 'stream', fails: 'stall', events: 2, for: '1h' }),
  async (client) => {
    client.world.use('it')
    const { response } = await say(client)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const more = async () => {
      const { done, value } = await reader.read()
      if (!done) text += value
      return done
    }
    while (readEvents(text).length < 2) await more()
    let came = false
    const next = more().finally(() => (came = true))
    await pause()
    expect([came, readEvents(text).length]).toEqual([false, 2])
    while (!came) {
      client.world.clock.advance('1h')
      await pause()
    }
    for (let done = await next; !done;) done = await more()
    expect(readEvents(text).at(-1)!.event).toBe('message.completed')
  },
)

testApi(
  'a stream may stop before its first byte',
  faulty({ kind: 'stream', fails: 'stall', events: 0, for: '1h' }),
  async (client) => {
    client.world.use('it')
    const { response } = await say(client)
    let came = false
    const first = response
      .body!.getReader()
      .read()
      .finally(() => (came = true))
    await pause()
    expect(came).toBe(false)
    client.world.clock.advance('1h')
    expect(readEvents(new TextDecoder().decode((await first).value))).toHaveLength(1)
  },
)

testApi(
  'a stream that stops for ever ends with its client',
  faulty({ kind: 'stream', fails: 'stall', events: 1, for: 'ever' }),
  async (client) => {
    client.world.use('it')
    const giveUp = new AbortController()
    const { response } = await say(client, giveUp.signal)
    const reader = response.body!.getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    expect(readEvents(first)).toHaveLength(1)
    let came = false
    const next = reader.read().finally(() => (came = true))
    client.world.clock.advance('30d')
    await pause()
    expect(came).toBe(false)
    giveUp.abort()
    await expect(next).rejects.toThrow()
  },
)

testApi(
  'faults of a stream compose, in whatever order they were switched on',
  faulty(
    { kind: 'stream', words_per_second: 1_000 },
    { kind: 'drip', bytes_per_second: 1e6 },
    { kind: 'stream', fails: 'error', events: 2 },
    { kind: 'stream', fails: 'stall', events: 1, for: '1ms' },
  ),
  async (client) => {
    client.world.use('it')
    const { text } = await read((await say(client)).response)
    expect(readEvents(text).map(({ event }) => event)).toEqual(['message.delta', 'message.delta', 'error'])
  },
)

testApi(
  'a stream that drips breaks off too',
  faulty({ kind: 'stream', fails: 'break', events: 1 }, { kind: 'drip', bytes_per_second: 1e6 }),
  async (client) => {
    client.world.use('it')
    expect(await read((await say(client)).response)).toMatchObject({
      text: expect.stringMatching(/^event: message.delta\n.*\n\n$/),
      error: expect.any(Error),
    })
  },
)

testApi('replies that are no streams stay as they are', faulty({ kind: 'stream', fails: 'break' }), async (client) => {
  client.world.use('it')
  const { path } = await startConversation(client)
  const { status } = await client.call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  expect(status).toBe(201)
  expect((await client.call('GET', '/plants')).status).toBe(200)
  expect(client.world.journal.calls({ operation: 'messages.create' }).at(-1)!.verdicts).toMatchObject([
    { fired: false, why: expect.stringContaining('nothing to change') },
  ])
})
