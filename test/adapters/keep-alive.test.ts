import { once } from 'node:events'
import { expect } from 'vitest'
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
