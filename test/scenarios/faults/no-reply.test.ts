import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { drain, openSocket, toRequest } from '../../support/socket.ts'
import { testApi } from '../../support/test-api.ts'
import { answered, faulty, hold, pause, throughConnections } from '../helpers.ts'

testApi('what was lost is the request unless the reply is named', async ({ world, call }) => {
  world.use({
    fault: [
      { kind: 'network-error', on: 'plants.*' },
      { kind: 'network-error', on: 'apps.*', loses: 'reply' },
    ],
  })
  await expect(call('DELETE', '/plants/101')).rejects.toBeInstanceOf(TypeError)
  expect(world.records.plants.get(101)).toBeDefined()
  await expect(call('POST', '/v1/apps', { body: { name: 'Made' } })).rejects.toBeInstanceOf(TypeError)
  expect(world.records.apps.all().some(({ name }) => name === 'Made')).toBe(true)
  expect(world.journal.calls().map(({ response, scenarios }) => [response.status, scenarios])).toEqual([
    [0, ['inline-1']],
    [0, ['inline-1']],
  ])
})

testApi('a HEAD and a request without a key fail too', async ({ world, call }) => {
  world.use({ fault: [{ kind: 'network-error' }] })
  await expect(call('HEAD', '/plants')).rejects.toBeInstanceOf(TypeError)
  await expect(call('GET', '/v1/apps', { key: null })).rejects.toBeInstanceOf(TypeError)
})

throughConnections('the connection is reset before or after the work is done', async ({ world, call }) => {
  world.use({
    fault: [
      { kind: 'reset', on: 'plants.*', loses: 'request' },
      { kind: 'reset', on: 'apps.*', loses: 'reply' },
    ],
  })
  await expect(call('HEAD', '/plants')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  await expect(call('DELETE', '/plants/101')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(world.records.plants.get(101)).toBeDefined()
  await expect(call('POST', '/v1/apps', { body: { name: 'Made' } })).rejects.toMatchObject({
    cause: { code: 'ECONNRESET' },
  })
  expect(world.records.apps.all().some(({ name }) => name === 'Made')).toBe(true)
})

throughConnections('a reset before a lost reply decides, and nothing was done', async ({ world, call }) => {
  world.use({ fault: [{ kind: 'reset' }, { kind: 'empty-reply', loses: 'reply' }] })
  await expect(call('DELETE', '/plants/101')).rejects.toMatchObject({ cause: { message: 'other side closed' } })
  expect(world.records.plants.get(101)).toBeDefined()
})

test('the connection closes cleanly without a byte, even if the client asked to keep it alive', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'empty-reply' }))
  greenhouse.world().use('it')
  await using server = await serve(greenhouse)
  for (const headers of [[], ['Connection: keep-alive']]) {
    const socket = await openSocket(server.port)
    let failed: unknown
    socket.on('error', (error) => (failed = error))
    socket.write(toRequest('GET /plants', headers))
    expect(await drain(socket)).toBe('')
    expect(failed).toBeUndefined()
  }
})

async function receive(port: number): Promise<Buffer> {
  const socket = await openSocket(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(toRequest('GET /plants', ['Connection: keep-alive']))
  await new Promise((resolve) => socket.on('end', resolve))
  socket.end()
  return Buffer.concat(chunks)
}

test('the given number of non-HTTP bytes arrives, chosen by the seed, then the connection closes', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'garbage', bytes: 60_000 }))
  const world = greenhouse.world()
  await using server = await serve(greenhouse)
  world.use('it')
  const first = await receive(server.port)
  expect(first).toHaveLength(60_000)
  expect(first.every((byte) => byte >= 128)).toBe(true)
  const second = await receive(server.port)
  expect(second.equals(first)).toBe(false)
  world.use('it')
  expect((await receive(server.port)).equals(first)).toBe(true)
  world.reset({ seed: 2 })
  world.use('it')
  expect((await receive(server.port)).equals(first)).toBe(false)
})

test('the default is 64 bytes', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'garbage' }))
  greenhouse.world().use('it')
  await using server = await serve(greenhouse)
  expect(await receive(server.port)).toHaveLength(64)
})

testApi('a request whose client has given up before is not waited for', async ({ world, send }) => {
  world.use({ fault: [{ kind: 'timeout' }] })
  await expect(send('/plants', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

testApi('only so many requests are left without a reply', async ({ world, send, call }) => {
  world.use({ fault: [{ kind: 'timeout', times: 1 }] })
  const giveUp = new AbortController()
  const { reply, arrived } = hold(send, '/plants', { signal: giveUp.signal })
  await answered(world)
  expect((await call('GET', '/plants')).status).toBe(200)
  expect(arrived()).toBe(false)
  expect(world.journal.calls().map(({ response, scenarios }) => [response.status, scenarios])).toEqual([
    [0, ['inline-1']],
    [200, []],
  ])
  giveUp.abort()
  await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
})

const kinds = [
  { kind: 'reset' },
  { kind: 'empty-reply' },
  { kind: 'garbage' },
  { kind: 'truncate', at: 3, content_length: 'lying' },
]
const request = () => new Request('http://greenhouse.test/plants', { headers: { authorization: 'Bearer key_pro' } })

for (const fault of kinds)
  test(`${fault.kind} takes a connection: where there is none it says so, and what to use`, async () => {
    const greenhouse = createGreenhouse(faulty(fault))
    greenhouse.world().use('it')
    await expect(greenhouse.fetch(request())).rejects.toThrow(`Failed to produce the fault "${fault.kind}`)
    await expect(greenhouse.fetch(request())).rejects.toThrow('Use serve().')
    expect(() => createHandlers(greenhouse)).toThrow(RangeError)
    greenhouse.world().clear()
    createHandlers(greenhouse)
    expect(() => greenhouse.world().use('it')).toThrow(RangeError)
    expect((await greenhouse.fetch(request())).status).toBe(200)
  })

test('an honest truncation takes none', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'truncate', at: 3, content_length: 'honest' }))
  createHandlers(greenhouse)
  greenhouse.world().use('it')
  expect(await (await greenhouse.fetch(request())).text()).toBe('[{"')
})

testApi('network-error rejects with a TypeError, and nothing was done', async ({ world, call }) => {
  world.use('network-error', { on: 'plants.*' })
  await expect(call('DELETE', '/plants/101')).rejects.toBeInstanceOf(TypeError)
  expect(world.records.plants.get(101)).toBeDefined()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clear()
  expect((await call('DELETE', '/plants/101')).status).toBeLessThan(300)
})

testApi('flaky-network fails so many requests without a reply, then all succeed', async ({ world, call }) => {
  world.use('flaky-network', { failures: 3, on: 'apps.*' })
  expect((await call('GET', '/plants')).status).toBe(200)
  for (let round = 0; round < 3; round++) await expect(call('GET', '/v1/apps')).rejects.toBeInstanceOf(TypeError)
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.use('flaky-network')
  await expect(call('GET', '/plants')).rejects.toBeInstanceOf(TypeError)
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi('first-write-lost does the first create, which an Idempotency-Key finds', async ({ world, call }) => {
  world.use('first-write-lost')
  const create = () => call('POST', '/v1/apps', { body: { name: 'Once' }, headers: { 'idempotency-key': 'one' } })
  await expect(create()).rejects.toBeInstanceOf(TypeError)
  const made = world.records.apps.all().filter(({ name }) => name === 'Once')
  expect(made).toHaveLength(1)
  expect(await create()).toMatchObject({ status: 201, body: { id: made[0]!.id } })
  expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toHaveLength(1)
})

testApi('with the request lost, nothing was done and a retry does it', async ({ world, call }) => {
  world.use('first-write-lost', { loses: 'request', times: 2, on: 'apps.create' })
  const create = () => call('POST', '/v1/apps', { body: { name: 'Once' } })
  await expect(create()).rejects.toBeInstanceOf(TypeError)
  await expect(create()).rejects.toBeInstanceOf(TypeError)
  expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toEqual([])
  expect((await create()).status).toBe(201)
})

testApi('once cleared, the first write arrives', async ({ world, call }) => {
  world.use('first-write-lost')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clear()
  expect((await call('POST', '/v1/apps', { body: { name: 'Fine' } })).status).toBe(201)
})

throughConnections('connection-reset fails requests below HTTP, and nothing was done', async ({ world, call }) => {
  world.use('connection-reset', { on: 'apps.*' })
  const before = world.records.apps.all()
  await expect(call('POST', '/v1/apps', { body: { name: 'Never' } })).rejects.toMatchObject({
    cause: { code: 'ECONNRESET' },
  })
  expect(world.records.apps.all()).toEqual(before)
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

throughConnections('a retry with its Idempotency-Key finds what the first request made', async ({ world, call }) => {
  world.use('connection-reset-after-write')
  const create = () => call('POST', '/v1/apps', { body: { name: 'Once' }, headers: { 'idempotency-key': 'one' } })
  await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  const made = world.records.apps.all().filter(({ name }) => name === 'Once')
  expect(made).toHaveLength(1)
  expect(await create()).toMatchObject({ status: 201, body: { id: made[0]!.id } })
  expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toHaveLength(1)
})

throughConnections('a retry without one makes a second', async ({ world, call }) => {
  world.use('connection-reset-after-write')
  const create = () => call('POST', '/v1/apps', { body: { name: 'Twice' } })
  await expect(create()).rejects.toThrow('fetch failed')
  expect((await create()).status).toBe(201)
  expect(world.records.apps.all().filter(({ name }) => name === 'Twice')).toHaveLength(2)
})

throughConnections('it happens as often as is asked for, on what is meant', async ({ world, call }) => {
  world.use('connection-reset-after-write', { times: 2, on: 'plants.delete' })
  expect((await call('POST', '/v1/apps', { body: { name: 'Fine' } })).status).toBe(201)
  for (const id of [101, 102]) {
    await expect(call('DELETE', `/plants/${id}`)).rejects.toThrow('fetch failed')
    expect(world.records.plants.get(id)).toBeUndefined()
  }
  expect((await call('DELETE', '/plants/103')).status).toBeLessThan(300)
  world.use('connection-reset-after-write', { on: 'plants.delete' })
  world.clear()
  expect((await call('DELETE', '/plants/104')).status).toBeLessThan(300)
})

throughConnections('empty-reply fails requests below HTTP, and nothing was done', async ({ world, call }) => {
  world.use('empty-reply', { on: 'apps.*' })
  const before = world.records.apps.all()
  await expect(call('POST', '/v1/apps', { body: { name: 'Never' } })).rejects.toMatchObject({
    cause: { code: 'UND_ERR_SOCKET', message: 'other side closed' },
  })
  expect(world.records.apps.all()).toEqual(before)
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

throughConnections('empty-reply can lose the reply to what was done', async ({ world, call }) => {
  world.use('empty-reply', { loses: 'reply' })
  await expect(call('DELETE', '/plants/101')).rejects.toThrow('fetch failed')
  expect(world.records.plants.get(101)).toBeUndefined()
})

throughConnections('garbage fails requests below HTTP, and nothing was done', async ({ world, call }) => {
  world.use('garbage', { on: 'apps.*' })
  const before = world.records.apps.all()
  await expect(call('POST', '/v1/apps', { body: { name: 'Never' } })).rejects.toMatchObject({
    cause: { name: 'HTTPParserError' },
  })
  expect(world.records.apps.all()).toEqual(before)
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

throughConnections('garbage refuses to send none', async ({ world }) => {
  expect(() => world.use('garbage', { bytes: 0 })).toThrow(/bytes/)
})

const create = (signal: AbortSignal): RequestInit => ({
  method: 'POST',
  headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
  body: '{"id":9001,"name":"Fern"}',
  signal,
})

for (const loses of ['request', 'reply'])
  testApi(`timeout lets a client wait until it gives up; the ${loses} was lost`, async ({ world, send, call }) => {
    world.use('timeout', { loses: loses as never, on: '*.create' })
    const giveUp = new AbortController()
    let settled = false
    const request = send('/plants', create(giveUp.signal)).finally(() => (settled = true))
    request.catch(() => undefined)
    await answered(world)
    world.clock.advance('1d')
    await pause()
    expect(settled).toBe(false)
    giveUp.abort()
    await expect(request).rejects.toMatchObject({ name: 'AbortError' })
    expect(world.records.plants.get(9001) !== undefined).toBe(loses === 'reply')
    expect((await call('GET', '/plants')).status).toBe(200)
    world.clear()
    expect((await call('POST', '/plants', { body: { id: 9002, name: 'Fern' } })).status).toBeLessThan(300)
  })
