import { expect } from 'vitest'
import { heapInUse } from '../memory/heap.ts'
import { key, served, toReplies } from '../support/socket.ts'
// Loaded now, because a later load would count as leaked.
import '@msw/data'
import '../../src/node-http/webhook-transport.ts'
import '../../src/control/http/answer-request.ts'

const requests = 600
const padding = 'x'.repeat(15_000)
const name = (prefix: string, place: number) => `${prefix}-world-${String(place).padStart(8, '0')}`

served(
  'of a request that made a world only the name is kept',
  async ({ greenhouse, open }) => {
    let text = ''
    const connect = async () => (await open()).on('data', (chunk) => (text += chunk))
    let socket = await connect()
    const ask = async (prefix: string, place: number) => {
      text = ''
      socket.write(
        `GET /~${name(prefix, place)}/plants/${padding} HTTP/1.1\r\nHost: localhost\r\n${key}\r\n\r\n`,
      )
      while (toReplies(text)[0]?.text === undefined)
        await new Promise((resolve) => socket.once('data', resolve))
    }
    for (let place = 0; place < 50; place++) await ask('early', place)
    const before = heapInUse()
    // A busy machine collects for seconds, and the server ends a connection that is idle so long.
    socket.destroy()
    socket = await connect()
    for (let place = 0; place < requests; place++) await ask('later', place)
    const kept = heapInUse() - before
    socket.destroy()
    expect(greenhouse.worlds()).toHaveLength(3)
    expect(kept / (requests * padding.length)).toBeLessThan(0.25)
  },
  { maxWorlds: 3 },
)
