import { expect } from 'vitest'
import { readEvents, startConversation } from '../../conversations/chat.ts'
import { type Client, testApi } from '../../support/test-api.ts'
import { pause } from '../helpers.ts'

const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

/** Says something, and gives the stream of its answer as it begins. */
export async function say(
  client: Client,
  signal?: AbortSignal,
  more: Record<string, string> = {},
): Promise<{ response: Response; path: string }> {
  const { path } = await startConversation(client)
  const init = {
    method: 'POST',
    headers: { ...headers, ...more },
    body: '{"content":"Hello","stream":true}',
    ...(signal && { signal }),
  }
  return { response: await client.send(`${path}/messages`, init), path }
}

const entryOf = ({ world }: Client) => world.journal.calls({ operation: 'messages.create' }).at(-1)!

/** Reads a stream to its end: what came of it, and the error that it ended with, if it did. */
export async function read(response: Response): Promise<{ text: string; error?: unknown }> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  } catch (error) {
    return { text, error }
  }
  return { text }
}

testApi(
  'a stream breaks off after so many events, and the message was answered all the same',
  async (client) => {
    client.world.use('stream-breaks', { events: 3 })
    const { response, path } = await say(client)
    expect(response.status).toBe(200)
    const { text, error } = await read(response)
    expect(error).toBeInstanceOf(Error)
    expect(readEvents(text).map(({ event }) => event)).toEqual([
      'message.delta',
      'message.delta',
      'message.delta',
    ])
    const { data } = (await client.call('GET', `${path}/messages`)).body
    expect(data.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'user'])
    const words = readEvents(text).map((event) => event.data.delta.content)
    expect(data[0].content.startsWith(words.join(''))).toBe(true)
    expect(entryOf(client).reason).toBe('scenario stream-breaks changed the stream of events')
    client.world.use('stream-breaks')
    expect(readEvents((await read((await say(client)).response)).text)).toHaveLength(5)
    client.world.useOnly([{ fault: [{ kind: 'stream', fails: 'break' }] }])
    const message = 'The stream broke off: a scenario cut the connection.'
    expect(await read((await say(client)).response)).toMatchObject({
      text: '',
      error: client.overSocket ? expect.any(Error) : { message },
    })
  },
)

testApi(
  'a stream that has no more events than that stays whole, and nothing fired',
  async (client) => {
    client.world.use({ fault: [{ kind: 'stream', fails: 'break', events: 1_000 }] })
    const { text, error } = await read((await say(client)).response)
    expect(error).toBeUndefined()
    expect(readEvents(text).at(-1)!.event).toBe('message.completed')
    expect(entryOf(client).scenarios).toEqual([])
  },
)

testApi(
  'a stream ends with an error event that carries an error of the catalogue',
  async (client) => {
    const error = { error: 'rate_limit_exceeded', message: 'Too much.' } as const
    client.world.use({ fault: [{ kind: 'stream', fails: 'error', events: 2, ...error }] })
    const { response } = await say(client)
    const events = readEvents((await read(response)).text)
    expect(events.map(({ event }) => event)).toEqual(['message.delta', 'message.delta', 'error'])
    const sent = {
      code: error.error,
      message: error.message,
      request_id: response.headers.get('x-request-id'),
    }
    expect(events.at(-1)!.data).toEqual({ error: sent })
    expect(entryOf(client)).toMatchObject({ scenarios: ['inline-1'], response: { status: 200 } })
  },
)

testApi("a stream stops for a time and goes on as the world's clock does", async (client) => {
  client.world.use({ fault: [{ kind: 'stream', fails: 'stall', events: 2, for: '1h' }] })
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
})

testApi('a stream may stop before its first byte', async (client) => {
  client.world.use({ fault: [{ kind: 'stream', fails: 'stall', events: 0, for: '1h' }] })
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
})

testApi('faults of a stream compose, in whatever order they were switched on', async (client) => {
  client.world.use({
    fault: [
      { kind: 'stream', words_per_second: 1_000 },
      { kind: 'drip', bytes_per_second: 1e6 },
      { kind: 'stream', fails: 'error', events: 2 },
      { kind: 'stream', fails: 'stall', events: 1, for: '1ms' },
    ],
  })
  const { text } = await read((await say(client)).response)
  expect(readEvents(text).map(({ event }) => event)).toEqual([
    'message.delta',
    'message.delta',
    'error',
  ])
})

testApi('a stream that drips breaks off too', async (client) => {
  client.world.use({ fault: [{ kind: 'stream', fails: 'break', events: 1 }] })
  client.world.use({ fault: [{ kind: 'drip', bytes_per_second: 1e6 }] })
  expect(await read((await say(client)).response)).toMatchObject({
    text: expect.stringMatching(/^event: message.delta\n.*\n\n$/),
    error: expect.any(Error),
  })
})

testApi('replies that are no streams stay as they are', async (client) => {
  client.world.use({ fault: [{ kind: 'stream', fails: 'break' }] })
  const { path } = await startConversation(client)
  const { status } = await client.call('POST', `${path}/messages`, { body: { content: 'Hello' } })
  expect(status).toBe(201)
  expect((await client.call('GET', '/plants')).status).toBe(200)
  expect(entryOf(client).verdicts).toMatchObject([
    { fired: false, why: expect.stringContaining('nothing to change') },
  ])
})

testApi(
  'stream-stalls stops a streamed answer until the client gives up, or for a time',
  async (client) => {
    client.world.use('stream-stalls', { events: 1 })
    const giveUp = new AbortController()
    const stalled = read((await say(client, giveUp.signal)).response)
    let isOver = false
    void stalled.finally(() => (isOver = true))
    client.world.clock.advance('1h')
    await pause()
    expect(isOver).toBe(false)
    giveUp.abort()
    const { text, error } = await stalled
    expect([readEvents(text).length, error instanceof Error]).toEqual([1, true])
    client.world.use('stream-stalls', { events: 1, for: '1ms' })
    for await (const piece of (await say(client)).response.body!) expect(piece).not.toHaveLength(0)
    expect(readEvents((await read((await say(client)).response)).text).at(-1)!.event).toBe(
      'message.completed',
    )
  },
)

testApi('a stall for a time comes after so many events, in any pieces', async (client) => {
  const { world } = client
  const drip = { kind: 'drip', bytes_per_second: 20_000 } as const
  for (const [events, ...faults] of [[0], [1], [2], [1, drip], [30, drip]] as const) {
    const stall = { kind: 'stream', fails: 'stall', events, for: '1h' } as const
    world.useOnly([{ fault: [...faults, stall] }])
    const { response } = await say(client)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += part.value
    })()
    const count = () => text.split('\n\n').length - 1
    while (count() < events) await pause()
    for (let turn = 0; turn < 20; turn++) await pause()
    expect(count()).toBe(events)
    world.clock.advance('1h')
    await reading
    expect(readEvents(text).at(-1)!.event).toBe('message.completed')
    expect(count()).toBeGreaterThan(events)
  }
})

testApi(
  "stream-slow lets a word leave each time that the world's clock has moved on far enough",
  async (client) => {
    client.world.use('stream-slow', { 'words-per-second': 0.01 })
    const { response } = await say(client)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    let isOver = false
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += part.value
      isOver = true
    })()
    while (text === '') await pause()
    await pause()
    expect(readEvents(text)).toHaveLength(1)
    client.world.clock.advance('99s')
    await pause()
    expect(readEvents(text)).toHaveLength(1)
    client.world.clock.advance('1s')
    while (readEvents(text).length === 1) await pause()
    await pause()
    expect(readEvents(text)).toHaveLength(2)
    while (!isOver) {
      client.world.clock.advance('100s')
      await pause()
    }
    await reading
    expect(readEvents(text).at(-1)!.event).toBe('message.completed')
  },
)

testApi(
  'the header names stream-error-event for one request, which ends with that error',
  async (client) => {
    const scenario = 'stream-error-event:events=1,error=insufficient_credits'
    const { response } = await say(client, undefined, { 'x-greenhouse-scenario': scenario })
    const events = readEvents((await read(response)).text)
    expect(events.map(({ event }) => event)).toEqual(['message.delta', 'error'])
    expect(events[1]!.data.error.code).toBe('insufficient_credits')
  },
)
