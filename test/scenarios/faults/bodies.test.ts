import { expect } from 'vitest'
import { createCaller, testApi } from '../../support/test-api.ts'
import { pause, throughConnections } from '../helpers.ts'

const get = { headers: { authorization: 'Bearer key_pro' } }

for (const fault of [
  { kind: 'bad-utf8' },
  { kind: 'truncate', at: 150 },
  { kind: 'drip', bytes_per_second: 1 },
] as const)
  testApi(`replies without a body do not count as changed by ${fault.kind}`, async (client) => {
    const { world, call } = client
    const length = (await call('HEAD', '/plants')).headers.get('content-length')
    world.use({ fault: [fault] })
    const head = await call('HEAD', '/plants')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, length])
    expect((await call('DELETE', '/plants/101')).text).toBe('')
    expect(world.journal.calls().map(({ scenarios }) => scenarios)).toEqual([[], [], []])
  })

testApi(
  'an empty body stays empty, and an error is spoiled as a success is',
  async ({ world, send, call }) => {
    world.use({ fault: [{ kind: 'truncate', at: 0, on: 'apps.*' }, { kind: 'bad-utf8' }] })
    expect((await call('GET', '/v1/apps')).text).toBe('')
    const response = await send('/plants', {})
    expect(response.status).toBe(401)
    expect(Buffer.from(await response.arrayBuffer())).toContain(0xff)
  },
)

testApi('a reply that is shorter than the cut stays whole', async ({ world, send }) => {
  world.use({ fault: [{ kind: 'truncate', at: 150 }] })
  const error = await send('/plants/0', { ...get, method: 'DELETE' })
  expect((await error.text()).length).toBeLessThanOrEqual(150)
  expect(await (await send('/plants', get)).text()).toHaveLength(150)
})

testApi('a cut at the very end of a reply, or after it, is none', async ({ world, call }) => {
  const length = Buffer.byteLength((await call('GET', '/plants')).text)
  for (const at of [length, length + 1, length - 1]) {
    world.useOnly([{ fault: [{ kind: 'truncate', at }] }])
    await call('GET', '/plants').catch(() => undefined)
  }
  const acted = world.journal.calls().map(({ scenarios }) => scenarios.length)
  expect(acted).toEqual([0, 0, 0, 1])
})

testApi('the shorter of two honest lengths counts in any order', async ({ world, send }) => {
  for (const at of [10, 3, 20]) world.use({ fault: [{ kind: 'truncate', at }] })
  const response = await send('/plants', get)
  expect([response.headers.get('content-length'), await response.text()]).toEqual(['3', '[{"'])
})

testApi('it cuts bytes, not characters', async ({ world, send }) => {
  world.use({ respond: [{ status: 200, text: 'x×' }], fault: [{ kind: 'truncate', at: 2 }] })
  expect([...Buffer.from(await (await send('/plants', get)).arrayBuffer())]).toEqual([0x78, 0xc3])
})

throughConnections(
  'a lying one after an honest one cuts what that left, and no HEAD',
  async (client) => {
    const { world, send, call } = client
    world.use({ fault: [{ kind: 'truncate', at: 10 }] })
    world.use({ fault: [{ kind: 'truncate', at: 3, content_length: 'lying' }] })
    expect((await call('HEAD', '/plants')).status).toBe(200)
    const response = await send('/plants', get)
    expect(response.headers.get('content-length')).toBe('10')
    const reader = response.body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('[{"')
    await expect(reader.read()).rejects.toThrow('terminated')
  },
)

throughConnections(
  'a lying one at the very end leaves the whole reply',
  async ({ world, call }) => {
    world.use({
      respond: [{ status: 200, text: '123' }],
      fault: [{ kind: 'truncate', at: 3, content_length: 'lying' }],
    })
    expect((await call('GET', '/plants')).text).toHaveLength(3)
    expect((await call('GET', '/plants')).status).toBe(200)
  },
)

testApi('a body is dripped in the state that other faults left it in', async ({ world, send }) => {
  world.use({
    fault: [
      { kind: 'drip', bytes_per_second: 1_000 },
      { kind: 'truncate', at: 6 },
      { kind: 'bad-utf8' },
      { kind: 'headers', set: { 'content-type': 'text/plain' }, repeat: ['Content-Type'] },
    ],
  })
  const response = await send('/plants', get)
  expect(response.headers.get('content-type')).toBe('text/plain, text/plain')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([bytes.length, bytes[3]]).toEqual([6, 0xff])
})

throughConnections('a dripping body can be cut', async ({ world, send, call }) => {
  world.use({ fault: [{ kind: 'drip', bytes_per_second: 1_000 }] })
  world.use({ fault: [{ kind: 'truncate', at: 70, content_length: 'lying' }] })
  const response = await send('/plants', get)
  const chunks: Uint8Array[] = []
  const read = async () => {
    for await (const chunk of response.body!) chunks.push(chunk)
  }
  await expect(read()).rejects.toThrow('terminated')
  expect(Buffer.concat(chunks)).toHaveLength(70)
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi(
  'invalid-utf8 spoils one byte, which only a strict reader notices',
  async ({ world, send, call }) => {
    const whole = Buffer.from((await call('GET', '/plants')).text)
    world.use('invalid-utf8', { on: 'plants.list' })
    const response = await send('/plants', get)
    expect([response.status, response.headers.get('content-length')]).toEqual([
      200,
      String(whole.length),
    ])
    expect(response.headers.get('content-type')).toBe('application/json')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError)
    expect([...bytes].flatMap((byte, at) => (byte === whole[at] ? [] : [byte]))).toEqual([0xff])
  },
)

throughConnections('truncated-body promises more than arrives', async ({ world, send }) => {
  world.use('truncated-body', { on: 'plants.*' })
  const response = await send('/plants', get)
  expect(response.status).toBe(200)
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(20)
  await expect(response.text()).rejects.toThrow('terminated')
})

throughConnections('truncated-body did what was asked for', async ({ world, call }) => {
  world.use('truncated-body', { bytes: 0 })
  await expect(call('POST', '/v1/apps', { body: { name: 'Made' } })).rejects.toThrow('terminated')
  expect(world.records.apps.all().filter(({ name }) => name === 'Made')).toHaveLength(1)
  world.use('truncated-body', { bytes: 100_000 })
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi(
  'truncated-json arrives whole by its length and breaks off in its JSON',
  async ({ world, send }) => {
    world.use('truncated-json', { on: 'plants.list' })
    const response = await send('/plants', get)
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '20'])
    const text = await response.text()
    expect(text).toHaveLength(20)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  },
)

testApi(
  'truncated-json carries out the request, and cuts the body at the given byte',
  async ({ world, send }) => {
    const whole = await createCaller(send)('GET', '/plants')
    world.use('truncated-json', { bytes: 5 })
    expect((await send('/plants/101', { ...get, method: 'DELETE' })).ok).toBe(true)
    expect(world.records.plants.get(101)).toBeUndefined()
    world.reset()
    world.use('truncated-json', { bytes: Buffer.byteLength(whole.text) })
    expect(await (await send('/plants', get)).text()).toBe(whole.text)
  },
)

testApi(
  'empty-body leaves the status and headers of a success and nothing else',
  async ({ world, call }) => {
    world.use('empty-body', { on: 'apps.*' })
    const { status, text, headers } = await call('GET', '/v1/apps')
    expect([status, text, headers.get('content-length')]).toEqual([200, '', '0'])
    expect(headers.get('content-type')).toBe('application/json')
    expect(await call('POST', '/v1/apps', { body: { name: 'Made' } })).toMatchObject({
      status: 201,
      text: '',
    })
    expect(world.records.apps.all().filter(({ name }) => name === 'Made')).toHaveLength(1)
  },
)

testApi(
  "drip sends the headers at once and the body as the world's clock moves on",
  async ({ world, send, call }) => {
    const whole = (await call('GET', '/plants')).text
    world.use('drip', { 'bytes-per-second': 1 })
    const response = await send('/plants', get)
    expect(response.status).toBe(200)
    let here = false
    const text = response.text().finally(() => (here = true))
    await pause()
    expect(here).toBe(false)
    while (!here) {
      world.clock.advance('1s')
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    expect(await text).toBe(whole)
  },
)

testApi(
  'drip changes the pace of the matching replies, and nothing else',
  async ({ world, send, call }) => {
    const whole = (await call('GET', '/plants')).text
    world.use('drip', { 'bytes-per-second': 1_000_000, on: 'plants.*' })
    const response = await send('/plants', get)
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
    expect(await response.text()).toBe(whole)
    expect(world.journal.calls({ operation: 'plants.list' }).at(-1)!.scenarios).toEqual(['drip'])
    const message = /bytes-per-second: expected a number of bytes a second from 1/
    expect(() => world.use('drip', { 'bytes-per-second': 0 })).toThrow(message)
  },
)
