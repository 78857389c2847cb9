import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { drain, key, served, toReplies, toRequest } from '../support/socket.ts'

const request = (line: string, body = '') =>
  [
    `${line} HTTP/1.1`,
    'Host: greenhouse.localhost',
    key,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')

served('a connection serves one request after the other', async ({ open }) => {
  const socket = await open()
  for (const limit of [1, 2, 3]) {
    socket.write(request(`GET /plants?limit=${limit}`))
    const [reply] = toReplies(String((await once(socket, 'data'))[0]))
    expect(reply).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } })
    expect(JSON.parse(reply!.text)).toHaveLength(limit)
  }
  socket.destroy()
})

served('an error of the API leaves the connection open', async ({ open }) => {
  const socket = await open()
  for (const [line, body, status] of [
    ['POST /plants', '{', 400],
    ['DELETE /plants/x', '', 400],
    ['GET /nowhere', '', 404],
    ['GET /plants', '', 200],
  ] as const) {
    socket.write(request(line, body))
    expect(toReplies(String((await once(socket, 'data'))[0]))).toMatchObject([{ status }])
  }
  socket.destroy()
})

served('requests that are sent without waiting are answered in their order', async ({ open }) => {
  const socket = await open()
  const ids = Array.from({ length: 10 }, (_, index) => 5_000 + index)
  const pairs = ids.map(
    (id) => request('POST /plants', JSON.stringify({ id, name: `plant ${id}` })) + request('GET /plants?limit=1'),
  )
  socket.write(pairs.join('') + toRequest('GET /nowhere'))
  const replies = toReplies(await drain(socket))
  expect(replies.map(({ status }) => status)).toEqual([...ids.flatMap(() => [200, 200]), 404])
  expect(ids.map((_, index) => JSON.parse(replies[2 * index]!.text))).toEqual(
    ids.map((id) => ({ name: `plant ${id}` })),
  )
})

served('nothing of a reply is left on its connection for the next one', async ({ greenhouse, server }) => {
  const { records } = greenhouse.world()
  for (let id = 5_000; id < 5_010; id++)
    await records.plants.create({ id, name: 'x'.repeat(50_000), account: 'acct_pro' })
  const accepted: Socket[] = []
  const accept = (message: unknown) => accepted.push((message as { socket: Socket }).socket)
  subscribe('net.server.socket', accept)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => (unsubscribe('net.server.socket', accept), agent.destroy()))
  const toSettings = (socket: Socket) => ({
    timeout: socket.timeout ?? 0,
    corked: socket.writableCorked,
    encoding: socket.readableEncoding,
    paused: socket.isPaused(),
    listeners: socket.eventNames().map((name) => [name, socket.listenerCount(name)]),
  })
  const ask = async ([path, scenario]: readonly [path: string, scenario: string]) => {
    const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': scenario }
    const [response] = await once(get(server.url + path, { agent, headers }), 'response')
    expect([response.statusCode, (await text(response)).length > 0]).toEqual([200, true])
    return toSettings(accepted[0]!)
  }
  const kinds = [
    ['/__greenhouse/worlds/default/records/plants', 'slow'],
    ['/plants?limit=1', 'slow:ms=20'],
    ['/plants', 'slow:ms=0'],
    ['/plants?limit=1', 'drip:bytes-per-second=5000'],
  ] as const
  for (const kind of kinds) await ask(kind)
  const first = toSettings(accepted[0]!)
  expect(first).toMatchObject({ timeout: 0, corked: 0, encoding: null, paused: false })
  for (const kind of kinds) expect(await ask(kind)).toEqual(first)
  expect(accepted).toHaveLength(1)
})
