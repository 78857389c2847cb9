import type { Socket } from 'node:net'
import { expect } from 'vitest'
import { openSocket, served } from '../support/socket.ts'

served('400 clients that are slow do not keep others waiting', async ({ server, request }) => {
  const slow: Socket[] = []
  for (let count = 0; count < 400; count++) {
    const socket = await openSocket(server.port)
    if (count % 2 === 0) socket.write('POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Le')
    slow.push(socket)
  }
  const replies = await Promise.all(Array.from({ length: 50 }, () => request('GET /plants?limit=1')))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
  expect(slow.filter((socket) => socket.readyState !== 'open')).toEqual([])
  for (const socket of slow) socket.destroy()
})

served('a client that goes away in the middle of its body changes nothing', async ({ server, greenhouse }) => {
  const head =
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nAuthorization: Bearer key_pro\r\nContent-Type: application/json\r\n'
  for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked'])
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = await openSocket(server.port)
      socket.on('error', () => undefined).resume()
      await new Promise((resolve) => socket.write(`${head}${framing}\r\n\r\n1a\r\n{"id":5000,"name":"Ficus"}`, resolve))
      socket[leave]()
      if (leave === 'end') await new Promise((resolve) => socket.on('close', resolve))
    }
  expect(greenhouse.world().records.plants.get(5000)).toBeUndefined()
})

served('clients that go away before the reply do not disturb the others', async ({ server, request }) => {
  for (let count = 0; count < 20; count++) {
    const socket = await openSocket(server.port)
    socket.on('error', () => undefined)
    socket.write('GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nAuthorization: Bearer key_pro\r\n\r\n', () =>
      socket.resetAndDestroy(),
    )
  }
  expect(await request('GET /plants?limit=1')).toMatchObject({ status: 200 })
})
