import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { createGreenhouse, type Greenhouse, type World } from 'greenhouse-mock'
import { createMiddleware } from 'greenhouse-mock/express'
import { serve } from 'greenhouse-mock/server'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/listen.ts'
import { drain, key, served, toReplies, toRequest, openSocket } from '../support/socket.ts'

const request = (line: string, body = '') => {
  const headers = ['Host: greenhouse.localhost', key, 'Content-Type: application/json']
  return [`${line} HTTP/1.1`, ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

served(
  'a connection serves one request after the other, errors of the API among them',
  async ({ open }) => {
    const socket = await open()
    for (const [line, body, status] of [
      ['GET /plants?limit=1', '', 200],
      ['POST /plants', '{', 400],
      ['DELETE /plants/x', '', 400],
      ['GET /nowhere', '', 404],
      ['GET /plants?limit=2', '', 200],
    ] as const) {
      socket.write(request(line, body))
      const [reply] = toReplies(String((await once(socket, 'data'))[0]))
      expect(reply).toMatchObject({ status, headers: { connection: 'keep-alive' } })
      if (status === 200) expect(JSON.parse(reply!.text)).toHaveLength(Number(line.at(-1)))
    }
    socket.destroy()
  },
)

served(
  'nothing of a reply is left on its connection for the next one',
  async ({ greenhouse, server }) => {
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
  },
)

const list = request('GET /plants')

/** So that a reply is larger than what the system takes without a reader. */
function fillWithLongNames(world: World): void {
  for (let id = 901; id <= 907; id++)
    world.records.plants.create({ id, account: 'acct_pro', name: String(id).repeat(300_000) })
}

const countOf = (world: World) => world.journal.calls({ path: '/plants' }).length

/** Returns the journal's count when it no longer grows. */
async function settledLists(world: World): Promise<number> {
  await expect.poll(() => countOf(world)).toBeGreaterThan(0)
  for (let before = 0; before !== countOf(world);) {
    before = countOf(world)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return countOf(world)
}

const hosts: Record<
  string,
  (greenhouse: Greenhouse) => Promise<{ port: number } & AsyncDisposable>
> = {
  'a server': (greenhouse) => serve(greenhouse),
  Express: (greenhouse) => listen(express().use(createMiddleware(greenhouse))),
}

test.each(Object.keys(hosts))(
  '%s answers a request sent without waiting once the former reply left',
  async (name) => {
    const greenhouse = createGreenhouse()
    const world = greenhouse.world('default')
    fillWithLongNames(world)
    await using server = await hosts[name]!(greenhouse)
    const socket = await openSocket(server.port)
    socket.pause()
    socket.write(list.repeat(3) + toRequest('GET /plants?limit=1', [key]))
    expect(await settledLists(world)).toBe(1)
    const replies = toReplies(await drain(socket.resume()))
    expect(replies.map(({ status }) => status)).toEqual(Array(4).fill(200))
    expect(new Set(replies.slice(0, 3).map(({ text }) => text)).size).toBe(1)
    expect(countOf(world)).toBe(4)
  },
)

served(
  'what waits behind a reply is dropped with its connection, and the others are served',
  async (host) => {
    const world = host.greenhouse.world('default')
    fillWithLongNames(world)
    const socket = await host.open()
    socket.pause()
    socket.write(list.repeat(100))
    await settledLists(world)
    socket.destroy()
    const other = await host.open()
    other.write(toRequest('GET /plants?limit=1', [key]))
    expect(toReplies(await drain(other))).toMatchObject([{ status: 200 }])
    expect(world.journal.calls({ path: '/plants' }).length).toBe(2)
  },
)

served(
  'fifteen hundred requests in one write are answered in their order, next to other clients',
  async (host) => {
    const world = host.greenhouse.world('default')
    const socket = await host.open()
    const count = 1_500
    const lists = Array.from({ length: count }, (_, place) =>
      request(`GET /plants?limit=${place + 1}`),
    )
    socket.write(lists.join('') + toRequest('GET /nowhere', [key]))
    const text = drain(socket)
    await expect.poll(() => countOf(world)).toBeGreaterThan(0)
    expect((await host.request('GET /v1/apps')).status).toBe(200)
    // The other client did not wait for all of them.
    expect(world.journal.calls({ path: '/nowhere' })).toEqual([])
    const replies = toReplies(await text)
    expect(replies.length).toBe(count + 1)
    expect(replies.at(-1)!.status).toBe(404)
    const paths = world.journal
      .calls({ path: '/plants', limit: 100 })
      .map(({ request }) => request.url)
    expect(paths).toEqual(
      Array.from({ length: paths.length }, (_, place) =>
        expect.stringContaining(`=${count - paths.length + place + 1}`),
      ),
    )
  },
)

served('a body that waits for its turn is read then', async (host) => {
  const socket = await host.open()
  const names = (id: number) => String(id).repeat(50_000)
  const plant = (id: number) => request('POST /plants', JSON.stringify({ id, name: names(id) }))
  const ids = Array.from({ length: 50 }, (_, index) => 9_000 + index)
  socket.write(ids.map(plant).join('') + toRequest('GET /plants?limit=1', [key]))
  const replies = toReplies(await drain(socket.resume()))
  expect(replies.map(({ status }) => status)).toEqual(Array(51).fill(200))
  expect(replies.slice(0, 50).map(({ text }) => JSON.parse(text).name)).toEqual(ids.map(names))
})
