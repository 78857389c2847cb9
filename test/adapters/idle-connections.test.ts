import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { Connections } from '../../src/node-http/connections.ts'
import { createHttpServer } from '../../src/node-http/http-server.ts'
import { createNodeListener } from '../../src/node-http/listener.ts'
import { key } from '../support/socket.ts'

test('a connection that is idle too long is closed, and one that is in use or waits for its reply is not', async () => {
  const greenhouse = createGreenhouse()
  const answer = createNodeListener(greenhouse)
  const server = createHttpServer((request, response) => {
    connections.track(request, response)
    answer(request, response)
  })
  const connections = new Connections(server, { most: 1_000, interval: 50 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const toRequest = (...headers: string[]) =>
    ['GET /plants HTTP/1.1', 'Host: localhost', key, ...headers, '', ''].join('\r\n')
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
