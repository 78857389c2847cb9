import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { Connections } from '../../src/node-http/connections.ts'
import { createHttpServer } from '../../src/node-http/http-server.ts'
import { createNodeListener } from '../../src/node-http/listener.ts'
import { drain, key, openSocket, toReplies, type RawReply } from '../support/socket.ts'

async function start(idle?: { max: number; interval: number }) {
  const greenhouse = createGreenhouse()
  const answer = createNodeListener(greenhouse)
  const server = createHttpServer((request, response) => {
    connections.track(request, response)
    answer(request, response)
  })
  const connections = new Connections(server, idle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { greenhouse, connections, port: (server.address() as AddressInfo).port }
}

const toRequest = (...headers: string[]) =>
  ['GET /plants HTTP/1.1', 'Host: localhost', key, ...headers, '', ''].join('\r\n')

test('replies that a slow client has not read as the server closes arrive whole', async () => {
  const { greenhouse, connections, port } = await start()
  await greenhouse.world().records.plants.create({ id: 5_000, name: 'x'.repeat(250_000), account: 'acct_pro' })
  const socket = await openSocket(port)
  socket.write(toRequest().repeat(30))
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
  await pause()
  const closed = connections.end(60_000)
  await pause()
  const isWhole = ({ headers, text }: RawReply) => Buffer.byteLength(text) === Number(headers['content-length'])
  expect(toReplies(await drain(socket)).filter(isWhole)).toHaveLength(30)
  await closed
})

test('a connection is closed when idle too long, not while in use or awaiting its reply', async () => {
  const { connections, port } = await start({ max: 1_000, interval: 50 })
  const open = (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.resume().write(text)
    return socket
  }
  const waiting = open(toRequest('X-Greenhouse-Scenario: timeout'))
  const busy = open(toRequest())
  const timer = setInterval(() => busy.write(toRequest()), 50)
  const idle = open(toRequest())
  await once(idle, 'close')
  expect([waiting.closed, busy.closed]).toEqual([false, false])
  clearInterval(timer)
  await once(busy, 'close')
  expect(waiting.closed).toBe(false)
  waiting.destroy()
  await connections.end(0)
})
