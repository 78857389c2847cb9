import { once } from 'node:events'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { drain, key, openSocket, toReplies } from '../support/socket.ts'

const head = ['POST /plants HTTP/1.1', 'Host: greenhouse.localhost', key, 'Content-Type: application/json'].join('\r\n')

test('the server closes while connections are idle, silent, refused or amid their headers', async () => {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  const beginnings = [
    '',
    'GET /plants HTTP/1.1\r\nHo',
    'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
    `${head}\r\nContent-Length: 100\r\n\r\n{`,
    'nonsense\r\n\r\n',
    'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
  ]
  for (const beginning of beginnings)
    (await openSocket(server.port))
      .on('error', () => undefined)
      .resume()
      .write(beginning)
  await fetch(`${server.url}/plants`)
  await server.close()
  await expect(openSocket(server.port)).rejects.toThrow('ECONNREFUSED')
})

test('the server closes while a client does not read its reply', async () => {
  const greenhouse = createGreenhouse()
  const { plants } = greenhouse.world().records
  for (let id = 5_000; id < 5_020; id++) await plants.create({ id, name: 'x'.repeat(500_000), account: 'acct_pro' })
  const server = await serve(greenhouse)
  const socket = await openSocket(server.port)
  socket.on('error', () => undefined).write(`GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`)
  await once(socket, 'readable')
  await server.close()
  socket.destroy()
})

/** Starts a server, and sends it a request without its body. */
async function beginRequest() {
  const greenhouse = createGreenhouse()
  // The first record loads what keeps records, which may take longer than a close does.
  await greenhouse.world().records.plants.create({ id: 4_999, name: 'Fern', account: 'acct_pro' })
  const server = await serve(greenhouse)
  const body = '{"id":5000,"name":"Ficus"}'
  const socket = await openSocket(server.port)
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
  return { server, socket, body }
}

test('a request under way is answered before the server closes', async () => {
  const { server, socket, body } = await beginRequest()
  const closed = server.close()
  socket.write(body)
  expect(toReplies(await drain(socket))).toMatchObject([{ status: 200, text: '{"name":"Ficus"}' }])
  await closed
})

test('a request that arrives after the close began is answered with Connection: close', async () => {
  const { server, socket, body } = await beginRequest()
  const closed = server.close()
  socket.write(`${body}GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`)
  const replies = toReplies(await drain(socket))
  expect(replies).toMatchObject([{ status: 200 }, { status: 200, headers: { connection: 'close' } }])
  await closed
})

test('closing twice is closing once', async () => {
  const server = await serve(createGreenhouse())
  await Promise.all([server.close(), server.close()])
  await server.close()
})

test('the next fetch of a process reaches the server that follows on the same port', async () => {
  const greenhouse = createGreenhouse()
  let port = 0
  for (let count = 0; count < 4; count++) {
    const server = await serve(greenhouse, { port })
    ;({ port } = server)
    const statuses = [1, 2, 3].map(async () => (await fetch(`${server.url}/plants`)).status)
    expect(await Promise.all(statuses)).toEqual([401, 401, 401])
    await server.close()
  }
})

test('a server that goes out of scope closes', async () => {
  let port: number
  {
    await using server = await serve(createGreenhouse())
    port = server.port
    expect((await fetch(`${server.url}/plants`)).status).toBe(401)
  }
  await expect(openSocket(port)).rejects.toThrow('ECONNREFUSED')
})
