import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { throughConnections, faulty } from './among.ts'

const get = { headers: { authorization: 'Bearer key_pro' } }

testApi(
  'replies without a body leave at once',
  faulty({ kind: 'drip', bytes_per_second: 1 }),
  async ({ world, call }) => {
    world.use('it')
    expect((await call('HEAD', '/plants')).status).toBe(200)
    expect((await call('DELETE', '/plants/101')).text).toBe('')
  },
)

testApi(
  'an empty body leaves at once too',
  faulty({ kind: 'truncate', at: 0 }, { kind: 'drip', bytes_per_second: 1 }),
  async ({ world, call }) => {
    world.use('it')
    expect(await call('GET', '/plants')).toMatchObject({ status: 200, text: '' })
  },
)

testApi(
  'a body is dripped in the state that other faults left it in',
  faulty(
    { kind: 'drip', bytes_per_second: 1_000 },
    { kind: 'truncate', at: 6 },
    { kind: 'bad-utf8' },
    { kind: 'headers', set: { 'content-type': 'text/plain' }, repeat: ['Content-Type'] },
  ),
  async ({ world, send }) => {
    world.use('it')
    const response = await send('/plants', get)
    expect(response.headers.get('content-type')).toBe('text/plain, text/plain')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([bytes.length, bytes[3]]).toEqual([6, 0xff])
  },
)

throughConnections(
  'a dripping body can be cut',
  async ({ world, send, call }) => {
    world.use('it')
    const response = await send('/plants', get)
    const chunks: Uint8Array[] = []
    const read = async () => {
      for await (const chunk of response.body!) chunks.push(chunk)
    }
    await expect(read()).rejects.toThrow('terminated')
    expect(Buffer.concat(chunks)).toHaveLength(70)
    world.clear()
    expect((await call('GET', '/plants')).status).toBe(200)
  },
  faulty({ kind: 'drip', bytes_per_second: 1_000 }, { kind: 'truncate', at: 70, content_length: 'lying' }),
)

testApi(
  'a client that aborts in mid-drip gets its error at once, and the service goes on',
  faulty({ kind: 'drip', bytes_per_second: 1 }),
  async ({ world, send, call }) => {
    world.use('it')
    const giveUp = new AbortController()
    const response = await send('/plants', { ...get, signal: giveUp.signal })
    const text = response.text()
    text.catch(() => undefined)
    giveUp.abort()
    await expect(text).rejects.toMatchObject({ name: 'AbortError' })
    world.clear()
    expect((await call('GET', '/plants')).status).toBe(200)
  },
)

testApi(
  'a client that stops reading in mid-drip leaves nothing behind',
  faulty({ kind: 'drip', bytes_per_second: 1 }),
  async ({ world, send, call }) => {
    world.use('it')
    const response = await send('/plants', get)
    await response.body!.cancel()
    world.clear()
    expect((await call('GET', '/plants')).status).toBe(200)
  },
  // MSW gives the client a branch of the body, whose cancelling waits for the other branch.
)
