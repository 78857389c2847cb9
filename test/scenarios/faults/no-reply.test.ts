import { expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { drain, key, openSocket, served, toRequest } from '../../support/socket.ts'
import { testApi } from '../../support/test-api.ts'
import { answered, hold, pause, posting, throughConnections } from '../helpers.ts'

const made = { body: { name: 'Made' } }
const madeIn = ({ records }: World) => records.apps.find(({ name }) => name === 'Made')
const isReset = { cause: { code: 'ECONNRESET' } }

testApi('network-error loses the request unless it names the reply', async ({ world, call }) => {
  world.use('network-error', { on: 'plants.*' })
  world.use({ fault: [{ kind: 'network-error', on: 'apps.*', loses: 'reply' }] })
  await expect(call('DELETE', '/plants/101')).rejects.toBeInstanceOf(TypeError)
  expect(world.records.plants.get(101)).toBeDefined()
  await expect(call('POST', '/v1/apps', made)).rejects.toBeInstanceOf(TypeError)
  expect(madeIn(world)).toHaveLength(1)
  const entries = world.journal
    .calls()
    .map(({ response, scenarios }) => [response.status, ...scenarios!])
  expect(entries.flat()).toEqual([0, 'network-error', 0, 'inline-1'])
})

testApi('a HEAD and a request without a key fail too', async ({ world, call }) => {
  world.use({ fault: [{ kind: 'network-error' }] })
  await expect(call('HEAD', '/plants')).rejects.toBeInstanceOf(TypeError)
  await expect(call('GET', '/v1/apps', { key: null })).rejects.toBeInstanceOf(TypeError)
})

throughConnections(
  'a reset before a lost reply decides, and nothing was done',
  async ({ world, call }) => {
    world.use({ fault: [{ kind: 'reset' }, { kind: 'empty-reply', loses: 'reply' }] })
    await expect(call('DELETE', '/plants/101')).rejects.toMatchObject({
      cause: { message: 'other side closed' },
    })
    expect(world.records.plants.get(101)).toBeDefined()
  },
)

served('an empty reply closes even a connection to be kept alive', async ({ greenhouse, open }) => {
  const world = greenhouse.world()
  world.use({ fault: [{ kind: 'empty-reply' }] })
  for (const headers of [[], ['Connection: keep-alive']]) {
    const socket = await open()
    let failed: unknown
    socket.on('error', (error) => (failed = error))
    socket.write(toRequest('GET /plants', headers))
    expect(await drain(socket)).toBe('')
    expect(failed).toBeUndefined()
  }
  world.clear()
})

test('bytes that are no HTTP arrive, chosen by the seed, then the connection closes', async () => {
  const greenhouse = createGreenhouse({ use: ['garbage'] })
  const world = greenhouse.world()
  await using server = await serve(greenhouse)
  const receive = async () => {
    const socket = await openSocket(server.port)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write(toRequest('GET /plants', ['Connection: keep-alive']))
    await new Promise((resolve) => socket.on('end', resolve))
    socket.end()
    return Buffer.concat(chunks)
  }
  expect(await receive()).toHaveLength(64)
  const many = { name: 'garbage', bytes: 60_000 } as const
  world.useOnly([many])
  const first = await receive()
  expect(first).toHaveLength(60_000)
  expect(first.every((byte) => byte >= 128)).toBe(true)
  expect((await receive()).equals(first)).toBe(false)
  world.useOnly([many])
  expect((await receive()).equals(first)).toBe(true)
  world.reset({ seed: 2, scenarios: [many] })
  expect((await receive()).equals(first)).toBe(false)
  expect(() => world.use('garbage', { bytes: 0 })).toThrow(/bytes/)
})

testApi('a request whose client has given up before is not waited for', async ({ world, send }) => {
  world.use({ fault: [{ kind: 'timeout' }] })
  await expect(send('/plants', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

testApi('only so many requests are left without a reply', async ({ world, send, call }) => {
  world.use({ fault: [{ kind: 'timeout', times: 1 }] })
  const giveUp = new AbortController()
  const { reply, arrived } = hold(send, '/plants', { signal: giveUp.signal })
  await answered(world)
  expect((await call('GET', '/plants')).status).toBe(200)
  expect(arrived()).toBe(false)
  const entries = world.journal
    .calls()
    .map(({ response, scenarios }) => [response.status, ...scenarios!])
  expect(entries).toEqual([[0, 'inline-1'], [200]])
  giveUp.abort()
  await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
})

for (const loses of ['request', 'reply'] as const)
  testApi(
    `timeout lets a client wait until it gives up; the ${loses} was lost`,
    async ({ world, send }) => {
      world.use('timeout', { loses, on: '*.create' })
      const giveUp = new AbortController()
      const { reply, arrived } = hold(send, '/plants', {
        ...posting({ id: 9001, name: 'Fern' }),
        signal: giveUp.signal,
      })
      await answered(world)
      world.clock.advance('1d')
      await pause()
      expect(arrived()).toBe(false)
      giveUp.abort()
      await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
      expect(world.records.plants.get(9001) !== undefined).toBe(loses === 'reply')
    },
  )

testApi(
  'flaky-network fails so many requests without a reply, then all succeed',
  async ({ world, call }) => {
    world.use('flaky-network', { failures: 3, on: 'apps.*' })
    for (let round = 0; round < 3; round++)
      await expect(call('GET', '/v1/apps')).rejects.toBeInstanceOf(TypeError)
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    world.use('flaky-network')
    await expect(call('GET', '/plants')).rejects.toBeInstanceOf(TypeError)
  },
)

testApi(
  'with first-write-lost and the request lost, a retry does what was not done',
  async ({ world, call }) => {
    world.use('first-write-lost', { loses: 'request', times: 2, on: 'apps.create' })
    for (let round = 0; round < 2; round++)
      await expect(call('POST', '/v1/apps', made)).rejects.toBeInstanceOf(TypeError)
    expect(madeIn(world)).toEqual([])
    expect((await call('POST', '/v1/apps', made)).status).toBe(201)
  },
)

for (const scenario of ['first-write-lost', 'connection-reset-after-write'] as const)
  throughConnections(
    `with ${scenario} an Idempotency-Key finds what the first request made`,
    async (client) => {
      const { world, call } = client
      world.use(scenario)
      expect((await call('GET', '/v1/apps')).status).toBe(200)
      const create = () =>
        call('POST', '/v1/apps', { ...made, headers: { 'idempotency-key': 'one' } })
      await expect(create()).rejects.toBeInstanceOf(TypeError)
      const [app] = madeIn(world)
      expect(await create()).toMatchObject({ status: 201, body: { id: app!.id } })
      expect(madeIn(world)).toHaveLength(1)
    },
  )

throughConnections(
  'connection-reset-after-write happens as often as is asked for',
  async ({ world, call }) => {
    world.use('connection-reset-after-write')
    await expect(call('POST', '/v1/apps', made)).rejects.toMatchObject(isReset)
    expect((await call('POST', '/v1/apps', made)).status).toBe(201)
    expect(madeIn(world), 'a retry without an Idempotency-Key makes a second').toHaveLength(2)
    world.use('connection-reset-after-write', { times: 2, on: 'plants.delete' })
    expect((await call('POST', '/v1/apps', made)).status).toBe(201)
    for (const id of [101, 102]) {
      await expect(call('DELETE', `/plants/${id}`)).rejects.toThrow('fetch failed')
      expect(world.records.plants.get(id)).toBeUndefined()
    }
    expect((await call('DELETE', '/plants/103')).status).toBeLessThan(300)
  },
)

const causes = {
  'connection-reset': { code: 'ECONNRESET' },
  'empty-reply': { code: 'UND_ERR_SOCKET', message: 'other side closed' },
  garbage: { name: 'HTTPParserError' },
}

for (const [scenario, cause] of Object.entries(causes))
  throughConnections(
    `${scenario} fails requests below HTTP, and nothing was done`,
    async ({ world, call }) => {
      world.use(scenario as keyof typeof causes, { on: 'apps.*' })
      await expect(call('POST', '/v1/apps', made)).rejects.toMatchObject({ cause })
      expect(madeIn(world)).toEqual([])
      expect((await call('GET', '/plants')).status).toBe(200)
    },
  )

throughConnections('empty-reply can lose the reply to what was done', async ({ world, call }) => {
  world.use('empty-reply', { loses: 'reply' })
  await expect(call('DELETE', '/plants/101')).rejects.toThrow('fetch failed')
  expect(world.records.plants.get(101)).toBeUndefined()
})

const list = `GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`
const last = `GET /v1/apps HTTP/1.1\r\nHost: greenhouse.localhost\r\nConnection: close\r\n${key}\r\n\r\n`

served(
  'faulty replies on a pipelined connection come in their turn',
  async ({ greenhouse, exchange }) => {
    greenhouse.world().use({
      fault: [
        { kind: 'headers', set: { 'X-Extra': 'yes' }, repeat: ['X-Extra'], on: 'plants.*' },
        { kind: 'drip', bytes_per_second: 1e6, on: 'plants.*' },
      ],
    })
    const replies = await exchange(list.repeat(3) + last)
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.slice(0, 3).map(({ text }) => JSON.parse(text))).toEqual(
      Array(3).fill(JSON.parse(replies[0]!.text)),
    )
    expect(replies[3]!.text).toContain('"data"')
  },
)

served('what was cut is the last on its connection', async ({ greenhouse, open }) => {
  greenhouse
    .world()
    .use({ fault: [{ kind: 'truncate', at: 5, content_length: 'lying', on: 'plants.*' }] })
  const socket = await open()
  socket.write(list + last)
  const text = await drain(socket)
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('[{"na')
})

served(
  'a connection that was cut is closed, though the client keeps its side open',
  async ({ greenhouse, open }) => {
    greenhouse
      .world()
      .use({ fault: [{ kind: 'truncate', at: 5, content_length: 'lying', on: 'plants.*' }] })
    const socket = await open()
    socket.removeAllListeners('error').on('error', () => undefined)
    socket.resume().write(list)
    await new Promise((resolve) => socket.on('end', resolve))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    while (!socket.destroyed) {
      socket.write(last)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await closed
  },
)

served(
  'a delay ends with the client that waits for it, and keeps no process alive',
  async ({ greenhouse, open }) => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const world = greenhouse.world()
    world.use({ fault: [{ kind: 'delay', fixed: '1d', on: 'apps.*' }] })
    const before = timers()
    const sockets = await Promise.all(Array.from({ length: 20 }, open))
    for (const socket of sockets) socket.write(last)
    await answered(world, 20)
    expect(timers()).toBeGreaterThan(before + 10)
    for (const socket of sockets) socket.destroy()
    while (timers() > before + 10) await new Promise((resolve) => setTimeout(resolve, 1))
    world.clear()
  },
)

served(
  'clients that leave in mid-drip and in mid-delay do no harm',
  async ({ greenhouse, open }) => {
    const world = greenhouse.world()
    world.use({ fault: [{ kind: 'drip', bytes_per_second: 1, on: 'plants.*' }] })
    world.use({ fault: [{ kind: 'delay', fixed: '1d', on: 'apps.*' }] })
    const sockets = await Promise.all(Array.from({ length: 20 }, open))
    for (const [place, socket] of sockets.entries())
      socket.on('error', () => undefined).write(place % 2 === 0 ? list : last)
    await answered(world, 20)
    for (const [place, socket] of sockets.entries()) {
      if (place % 3 === 0) socket.resetAndDestroy()
      else socket.destroy()
    }
    world.clear()
  },
)

served(
  'a server closes though requests wait for replies that never come',
  async ({ greenhouse, open }) => {
    const world = greenhouse.world()
    world.use({ fault: [{ kind: 'timeout', on: 'plants.*' }] })
    const sockets = await Promise.all([open(), open(), open()])
    for (const socket of sockets) socket.on('error', () => undefined).write(list)
    await answered(world, 3)
    const second = await serve(greenhouse)
    const waiting = fetch(second.url + '/plants', { headers: { authorization: 'Bearer key_pro' } })
    await answered(world, 4)
    await Promise.all([second.close(), expect(waiting).rejects.toThrow('fetch failed')])
    for (const socket of sockets) socket.destroy()
    world.clear()
  },
)
