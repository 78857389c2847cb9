import { once } from 'node:events'
import express from 'express'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { createMiddleware } from 'greenhouse-mock/express'
import { drain, key, openSocket, served, toReplies, toRequest } from '../support/socket.ts'

const list = ['GET /plants HTTP/1.1', 'Host: greenhouse.localhost', key, '', ''].join('\r\n')

/** So that a reply is larger than what the system takes without a reader. */
function fillWithLongNames(world: World): void {
  for (let id = 901; id <= 907; id++)
    world.records.plants.create({ id, account: 'acct_pro', name: String(id).repeat(300_000) })
}

const lists = (world: World) => world.journal.calls({ path: '/plants' }).length

/** Returns the journal's count when it no longer grows. */
async function settledLists(world: World): Promise<number> {
  await expect.poll(() => lists(world)).toBeGreaterThan(0)
  for (let before = 0; before !== lists(world);) {
    before = lists(world)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return lists(world)
}

served('a request that was sent without waiting is answered once the former reply has left', async (host) => {
  const world = host.greenhouse.world('default')
  fillWithLongNames(world)
  const socket = await host.open()
  socket.pause()
  socket.write(list.repeat(9) + toRequest('GET /plants?limit=1', [key]))
  expect(await settledLists(world)).toBe(1)
  const replies = toReplies(await drain(socket.resume()))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(new Set(replies.slice(0, 9).map(({ text }) => text)).size).toBe(1)
  expect(lists(world)).toBe(10)
})

served('what waits behind a reply is dropped with its connection, and the others are served', async (host) => {
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
})

served('fifteen hundred requests in one write are answered in their order, beside other clients', async (host) => {
  const world = host.greenhouse.world('default')
  const socket = await host.open()
  const count = 1_500
  let sent = ''
  for (let id = 1; id <= count; id++)
    sent += `GET /plants?limit=${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key_pro\r\n\r\n`
  socket.write(sent + toRequest('GET /nowhere', [key]))
  const text = drain(socket)
  await expect.poll(() => lists(world)).toBeGreaterThan(0)
  expect((await host.request('GET /v1/apps')).status).toBe(200)
  // The other client did not wait for all of them.
  expect(world.journal.calls({ path: '/nowhere' })).toEqual([])
  const replies = toReplies(await text)
  expect(replies.length).toBe(count + 1)
  expect(replies.at(-1)!.status).toBe(404)
  const paths = world.journal.calls({ path: '/plants', limit: 100 }).map(({ request }) => request.url)
  expect(paths).toEqual(
    Array.from({ length: paths.length }, (_, place) => expect.stringContaining(`=${count - paths.length + place + 1}`)),
  )
})

served('a body that waits for its turn is read then', async (host) => {
  const socket = await host.open()
  const plant = (id: number) => {
    const body = JSON.stringify({ id, name: 'x'.repeat(200_000) })
    return `POST /plants HTTP/1.1\r\nHost: localhost\r\n${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const ids = Array.from({ length: 50 }, (_, index) => 9_000 + index)
  socket.write(ids.map(plant).join('') + toRequest('GET /plants?limit=1', [key]))
  const replies = toReplies(await drain(socket.resume()))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 51 }, () => 200))
})

test('Express answers one request of a connection at a time too', async () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world('default')
  fillWithLongNames(world)
  const server: Server = createServer(express().use(createMiddleware(greenhouse))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = await openSocket((server.address() as AddressInfo).port)
  socket.pause()
  socket.write(list.repeat(10) + toRequest('GET /plants?limit=1', [key]))
  expect(await settledLists(world)).toBe(1)
  expect(toReplies(await drain(socket.resume())).length).toBe(11)
  server.close()
})
