import { expect } from 'vitest'
import { readEvents } from '../../conversations/chat.ts'
import { testApi } from '../../support/test-api.ts'
import { pause } from '../faults/held.ts'
import { read, say } from '../faults/stream-client.ts'

testApi('stream-breaks cuts a streamed answer after as many events as are asked for', {}, async (client) => {
  client.world.use('stream-breaks')
  const usual = await read((await say(client)).response)
  expect([readEvents(usual.text).length, usual.error instanceof Error]).toEqual([5, true])
  client.world.use('stream-breaks', { events: 2 })
  expect(readEvents((await read((await say(client)).response)).text)).toHaveLength(2)
  client.world.clear()
  expect((await read((await say(client)).response)).error).toBeUndefined()
})

testApi('stream-error-event ends a streamed answer with an error', async (client) => {
  client.world.use('stream-error-event', { events: 1, error: 'insufficient_credits' })
  const events = readEvents((await read((await say(client)).response)).text)
  expect(events.map(({ event }) => event)).toEqual(['message.delta', 'error'])
  expect(events[1]!.data.error.code).toBe('insufficient_credits')
})

testApi('stream-stalls stops a streamed answer until the client gives up, or for a time', async (client) => {
  client.world.use('stream-stalls', { events: 1 })
  const giveUp = new AbortController()
  const stalled = read((await say(client, giveUp.signal)).response)
  client.world.clock.advance('1h')
  await pause()
  giveUp.abort()
  const { text, error } = await stalled
  expect([readEvents(text).length, error instanceof Error]).toEqual([1, true])
  client.world.use('stream-stalls', { events: 1, for: '1ms' })
  expect(readEvents((await read((await say(client)).response)).text).at(-1)!.event).toBe('message.completed')
})

testApi("stream-slow lets a word leave each time that the world's clock has moved on far enough", async (client) => {
  client.world.use('stream-slow', { 'words-per-second': 0.01 })
  const { response } = await say(client)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let isOver = false
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
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
})

testApi('the header names a stream scenario for one request', async (client) => {
  const { response } = await say(client, undefined, { 'x-greenhouse-scenario': 'stream-error-event:events=0' })
  expect(readEvents((await read(response)).text).map(({ event }) => event)).toEqual(['error'])
})
