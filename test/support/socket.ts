import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { serve, type RunningServer } from 'greenhouse-mock/server'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { start } from './test-api.ts'

export interface RawReply {
  status: number
  headers: Record<string, string>
  text: string
}

export interface Served {
  greenhouse: Greenhouse
  server: RunningServer
  /** Sends bytes on a connection of its own and gives what came back until the server closed it. */
  exchange(bytes: string | Uint8Array): Promise<RawReply[]>
  /** Sends a request with a sound Host, a key and `Connection: close`, and gives the reply. */
  request(line: string, headers?: string[], body?: string): Promise<RawReply>
  open(): Promise<Socket>
}

export const key = 'Authorization: Bearer key_pro'

/** Runs a test against a server on a free port; afterwards the server must still answer. */
export function served(
  title: string,
  run: (served: Served) => Promise<void>,
  options: GreenhouseOptions = {},
): void {
  test(title, async () => {
    const greenhouse = createGreenhouse({ now: start, ...options })
    await using server = await serve(greenhouse)
    const exchange = (bytes: string | Uint8Array) => exchangeWith(server.port, bytes)
    await run({
      greenhouse,
      server,
      exchange,
      open: () => openSocket(server.port),
      request: async (line, headers = [], body = '') => {
        const [reply, ...more] = await exchange(toRequest(line, [key, ...headers], body))
        expect(more).toEqual([])
        return reply!
      },
    })
    expect(
      (await fetch(`${server.url}/v1/apps`, { headers: { authorization: 'Bearer key_lite' } }))
        .status,
    ).toBe(200)
  })
}

/** A request's text: `line` is `GET /plants`; the connection closes after it. */
export function toRequest(line: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const host = headers.some((header) => header.startsWith('Host:'))
    ? []
    : ['Host: greenhouse.localhost']
  return [`${line} HTTP/1.1`, ...host, 'Connection: close', ...headers, ...length, '', body].join(
    '\r\n',
  )
}

/**
 * Sends a request on a connection of its own, to this machine unless it names a Host, and gives the
 * reply.
 */
export async function ask(
  port: number,
  line: string,
  headers: readonly string[] = [],
  body = '',
): Promise<RawReply> {
  const all = headers.some((header) => header.startsWith('Host:'))
    ? headers
    : [`Host: 127.0.0.1:${port}`, ...headers]
  return (await exchangeWith(port, toRequest(line, all, body)))[0]!
}

/** Connects, and does not mind what becomes of the connection. */
export function openSocket(port: number, host = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, allowHalfOpen: true }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** A request that keeps its connection. */
export const toGet = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', key, ...headers, '', ''].join('\r\n')

/** Opens connections until the end of the test, and writes the same on each. */
export async function openAll(port: number, count: number, bytes: string): Promise<Socket[]> {
  const opened: Socket[] = []
  onTestFinished(() => opened.forEach((socket) => socket.destroy()))
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(100, count - opened.length) }, () =>
      connect({ port, host: '127.0.0.1' })
        .on('error', () => undefined)
        .resume(),
    )
    await Promise.all(some.map((socket) => once(socket, 'connect')))
    for (const socket of some) if (bytes !== '') socket.write(bytes)
    opened.push(...some)
  }
  return opened
}

export async function drain(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  if (!socket.closed)
    await new Promise((resolve) => socket.on('close', resolve).on('end', () => socket.end()))
  return Buffer.concat(chunks).toString()
}

export async function exchangeWith(
  port: number,
  bytes: string | Uint8Array,
  host?: string,
): Promise<RawReply[]> {
  const socket = await openSocket(port, host)
  socket.write(bytes)
  return toReplies(await drain(socket))
}

export function toReplies(text: string): RawReply[] {
  const replies: RawReply[] = []
  for (let rest = Buffer.from(text); rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const length = Number(headers['content-length'] ?? 0)
    replies.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      text: rest.subarray(end + 4, end + 4 + length).toString(),
    })
    rest = rest.subarray(end + 4 + length)
  }
  return replies
}

export function expectPlantsError(reply: RawReply, status: number): void {
  expect(reply).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
  expect(JSON.parse(reply.text)).toEqual({ error: status, message: expect.stringMatching(/./) })
}

export function expectAppsError(reply: RawReply, status: number, code: string): void {
  expect(reply).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
  expect(JSON.parse(reply.text)).toEqual({
    error: {
      code,
      message: expect.stringMatching(/./),
      request_id: expect.stringMatching(/^req_/),
    },
  })
}

/** Asserts the JSON that answers what never was a request. */
export function expectRejection(reply: RawReply | undefined, status = 400): void {
  expect(reply).toMatchObject({
    status,
    headers: { 'content-type': 'application/json', connection: 'close' },
  })
  expect(JSON.parse(reply!.text)).toEqual({
    error: { code: 'invalid_request', message: expect.stringMatching(/./) },
  })
}
