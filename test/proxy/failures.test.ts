import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { findFreePort } from '../support/free-port.ts'
import { listen } from '../support/listen.ts'
import { openSocket } from '../support/socket.ts'
import { inFrontOf, standInFront } from './in-front.ts'
import { answerBytes, sendBytes } from './bytes.ts'

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

const liars: [what: string, answer: (socket: Socket) => void, status: number, reason: RegExp][] = [
  ['closes', (socket) => socket.end(), 502, /closed the connection without a reply/],
  ['resets', (socket) => socket.resetAndDestroy(), 502, /closed the connection without a reply/],
  ['says nothing', () => undefined, 504, /did not begin its reply within 300 ms/],
  [
    'is slow with its headers',
    (socket) => drip(socket, head),
    504,
    /did not begin its reply within 300 ms/,
  ],
  [
    'sends less than its length',
    (socket) => socket.end(`${head}Content-Length: 9\r\n\r\n[1]`),
    502,
    /ended its reply after 3 of 9 bytes/,
  ],
  [
    'sends no HTTP',
    (socket) => socket.end('SSH-2.0-OpenSSH\r\n'),
    502,
    /sent what is not valid HTTP/,
  ],
  [
    'has endless headers',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(99_999)}`),
    502,
    /sent what is not valid HTTP/,
  ],
  [
    'has a status below 200',
    (socket) => socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'),
    502,
    /sent the status 99/,
  ],
  [
    'switches protocols',
    (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    502,
    /switched protocols/,
  ],
]

/** Sends a byte every few milliseconds. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text[socket.bytesWritten] ?? 'x'), 20)
  socket.on('close', () => clearInterval(timer))
}

test.each(liars)(
  'a service that %s is an error in the shape of the area',
  async (_, answer, status, reason) => {
    const patience = status === 504 ? { timeout: 300 } : {}
    const { send, world, target } = await inFrontOf(answerBytes(answer).server, patience)
    const plants = await send('/plants')
    expect(plants.status).toBe(status)
    const message = expect.stringMatching(reason) as string
    expect(await plants.json()).toEqual({ error: status, message })
    expect(await (await send('/v1/apps')).json()).toMatchObject({
      error: { code: status === 502 ? 'bad_gateway' : 'gateway_timeout', message },
    })
    const [entry] = world.journal.calls({ operation: 'plants.list' })
    expect(entry).toMatchObject({
      response: { status },
      reason: expect.stringContaining(target) as string,
    })
  },
)

test('a service that is gone is an error that says so', async () => {
  const plants = `http://127.0.0.1:${await findFreePort()}`
  const { send } = await standInFront({ plants })
  const response = await send('/plants')
  expect(response.status).toBe(502)
  expect(await response.text()).toContain(`The service ${plants} is unreachable: ECONNREFUSED`)
})

test('a reply that breaks off does so for the client, and the journal gives the reason', async () => {
  let cut = () => {}
  const begin = (socket: Socket) => {
    cut = () => socket.resetAndDestroy()
    socket.write(`${head}Content-Length: 900000\r\n\r\n[1`)
  }
  const { send, world } = await inFrontOf(answerBytes(begin).server)
  const reader = (await send('/plants')).body!.getReader()
  await reader.read()
  cut()
  await expect(reader.read()).rejects.toThrow('terminated')
  await expect.poll(() => world.journal.calls()[0]!.aborted).toBe(true)
  expect(world.journal.calls()[0]).toMatchObject({
    reason: expect.stringMatching(/broke off: aborted after 2 bytes/) as string,
    response: { body: '[1' },
  })
})

const paused: [what: string, reply: string, scenario: string | undefined, status: number][] = [
  ['with a length', `${head}Content-Length: 10\r\n\r\n[1`, undefined, 200],
  [
    'that a scenario would change',
    `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n`,
    'malformed-plant',
    200,
  ],
  [
    'without the operation',
    'HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n',
    undefined,
    200,
  ],
]

test.each(paused)(
  'a reply %s that pauses does not keep its client waiting',
  async (_, reply, scenario, status) => {
    const { server } = answerBytes((socket) => void socket.write(reply))
    const { send, world } = await inFrontOf(server, { timeout: 1_000, fallback: 'mock' })
    if (scenario !== undefined) world.use(scenario as never)
    const response = await send('/plants?limit=1')
    expect(response.status).toBe(status)
    expect(Buffer.from((await response.body!.getReader().read()).value!).toString()).toMatch(/^\[/)
    expect(world.journal.calls()).toHaveLength(1)
  },
)

test('an upload that takes longer than the timeout arrives, as long as it goes on', async () => {
  const { port } = await inFrontOf(
    (request, response) => void request.resume().on('end', () => response.end('[]')),
    { timeout: 2_000 },
    { bodyLimit: 10 },
  )
  const socket = await openSocket(port)
  const come: string[] = []
  socket.on('data', (chunk: Buffer) => come.push(chunk.toString()))
  socket.write('POST /plants HTTP/1.1\r\nHost: x.localhost\r\nContent-Length: 2500\r\n\r\n')
  for (let sent = 0; sent < 25; sent++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.write('x'.repeat(100))
  }
  await expect.poll(() => come.join('')).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test.each([
  ['a service that is gone', undefined, '502'],
  ['a scenario', 'expired-key', '401'],
])('a connection goes on after a large request that %s answers', async (_, scenario, status) => {
  const plants = `http://127.0.0.1:${await findFreePort()}`
  const { port, world } = await standInFront({ plants }, { bodyLimit: 1_024 })
  if (scenario !== undefined) world.use(scenario as never)
  const body = 'x'.repeat(200_000)
  const key = 'Host: x.localhost\r\nAuthorization: Bearer key_pro\r\n'
  const post = `POST /plants HTTP/1.1\r\n${key}Content-Length: ${body.length}\r\n\r\n${body}`
  const come = await sendBytes(
    port,
    `${post}GET /plants HTTP/1.1\r\n${key}Connection: close\r\n\r\n`,
  )
  expect(come.match(/(?<=^|[}\n])HTTP\/1\.1 \d+/g)).toEqual([
    `HTTP/1.1 ${status}`,
    `HTTP/1.1 ${status}`,
  ])
})

test('an endless reply is passed on as fast as it is read, and ends when the client leaves', async () => {
  let written = 0
  let isOpen = true
  const { port } = await inFrontOf((_, response) => {
    const chunk = Buffer.alloc(65_536, 'x')
    const write = () => {
      let goesOn = isOpen
      while (goesOn) {
        written += chunk.length
        goesOn = response.write(chunk) && isOpen
      }
    }
    response.on('drain', write).on('close', () => (isOpen = false))
    write()
  })
  const socket = await openSocket(port)
  socket.pause().write('GET /plants HTTP/1.1\r\nHost: x.localhost\r\n\r\n')
  await expect.poll(() => written).toBeGreaterThan(0)
  let before = 0
  await expect
    .poll(
      () => {
        const grows = written !== before
        before = written
        return grows
      },
      { interval: 100 },
    )
    .toBe(false)
  expect(written).toBeLessThan(2 ** 25)
  socket.destroy()
  await expect.poll(() => isOpen).toBe(false)
})

test('a request is cancelled when its client leaves', async () => {
  let closed = false
  const control = new AbortController()
  const { send, world } = await inFrontOf((_, response) => {
    response.on('close', () => (closed = true))
    control.abort()
  })
  const asked = send('/plants', { signal: control.signal })
  await expect(asked).rejects.toThrow('abort')
  await expect.poll(() => closed).toBe(true)
  await expect.poll(() => world.journal.calls().length).toBe(1)
  expect(world.journal.calls()[0]).toMatchObject({ aborted: true, response: { status: 0 } })
})

test('a request that may be repeated is, when the service had closed the idle connection', async () => {
  let count = 0
  const { send } = await inFrontOf(
    answerBytes((socket) => {
      if (++count === 2) return socket.resetAndDestroy()
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]')
    }).server,
  )
  expect([(await send('/plants')).status, (await send('/plants')).status, count]).toEqual([
    200, 200, 3,
  ])
  count = 1
  expect((await send('/plants', { method: 'POST', body: '{}' })).status).toBe(502)
})

test.each(['GET', 'PUT', 'DELETE'])(
  'a %s whose reply has begun is not sent again when that breaks off',
  async (method) => {
    let count = 0
    const { server } = answerBytes((socket) => {
      if (++count === 1) return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]')
      socket.write(`${head}Content-Length: 100\r\n\r\n{"a":1`)
      // Once what was written has been read: each turn reads what has come.
      let turns = 20
      const reset = () => (turns-- > 0 ? setImmediate(reset) : socket.resetAndDestroy())
      return reset()
    })
    const { send } = await inFrontOf(server)
    await send('/plants')
    const response = await send('/plants/1', { method })
    expect([response.status, await response.text(), count]).toEqual([
      502,
      expect.stringContaining('ended its reply after 6 of 100 bytes'),
      2,
    ])
  },
)

test('bytes after the end of a reply do not change it', async () => {
  const { send } = await inFrontOf(
    answerBytes(`${head}Content-Length: 5\r\n\r\nhello-extra`).server,
  )
  const response = await send('/plants')
  expect([response.status, await response.text()]).toEqual([200, 'hello'])
})

test('a target that is this very server is refused, and a loop through another one ends', async () => {
  const port = await findFreePort()
  const own = createGreenhouse({ proxy: { plants: `http://localhost:${port}` } })
  await expect(serve(own, { port })).rejects.toThrow(
    `Failed to forward to http://localhost:${port}: that is this server itself.`,
  )
  let back = ''
  const { url, close } = await listen((request, response) => {
    const headers = request.headers as Record<string, string>
    void fetch(back + request.url!, {
      headers: { via: headers['via']!, authorization: 'Bearer real' },
    }).then(async (came) =>
      response
        .writeHead(came.status, { 'content-type': 'application/json' })
        .end(await came.text()),
    )
  })
  onTestFinished(close)
  const front = await standInFront({ plants: url, apps: `${url}/v1` })
  back = front.url
  expect((await front.send('/plants')).status).toBe(508)
  expect(await (await front.send('/v1/apps')).json()).toMatchObject({
    error: { code: 'loop_detected' },
  })
})

test('one proxy may stand in front of another one of the same process', async () => {
  const { url } = await inFrontOf((_, response) => response.end('[]'))
  const { send } = await standInFront({ plants: url })
  expect((await send('/plants')).status).toBe(200)
})
