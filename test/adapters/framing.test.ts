import { once } from 'node:events'
import { expect } from 'vitest'
import { drain, expectPlantsError, expectRejection, key, served, toReplies } from '../support/socket.ts'

const head = [
  'POST /plants HTTP/1.1',
  'Host: greenhouse.localhost',
  'Connection: close',
  key,
  'Content-Type: application/json',
].join('\r\n')
const chunked = `${head}\r\nTransfer-Encoding: chunked\r\n\r\n`

served('a body in chunks is put together', async ({ exchange, greenhouse }) => {
  const [reply] = await exchange(
    `${chunked}5\r\n{"id"\r\n3;name=value\r\n:77\r\n10\r\n,"name":"Ficus"}\r\n0\r\nTrailer-Field: x\r\n\r\n`,
  )
  expect(reply).toMatchObject({ status: 200, text: '{"name":"Ficus"}' })
  expect(greenhouse.world().records.plants.get(77)).toMatchObject({ name: 'Ficus', account: 'acct_pro' })
})

served('a body in no chunks is a body that is missing', async ({ exchange }) => {
  const [reply] = await exchange(`${chunked}0\r\n\r\n`)
  expectPlantsError(reply!, 400)
})

served(
  'Transfer-Encoding beside Content-Length is refused, so that nothing can be smuggled',
  async ({ exchange, greenhouse }) => {
    const smuggled = 'DELETE /plants/101 HTTP/1.1\r\nHost: greenhouse.localhost\r\n' + key + '\r\n\r\n'
    const replies = await exchange(
      `${head}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    )
    expect(replies).toHaveLength(1)
    expectRejection(replies[0])
    expect(greenhouse.world().records.plants.get(101)).toBeDefined()
  },
)

served('an Upgrade is not taken up', async ({ request }) => {
  expect(await request('GET /plants?limit=1', ['Upgrade: websocket'])).toMatchObject({ status: 200 })
})

served('an Expect that is not known is passed over', async ({ request }) => {
  expect(await request('GET /plants?limit=1', ['Expect: the-spanish-inquisition'])).toMatchObject({ status: 200 })
})

served('Expect: 100-continue is answered before the body is sent', async ({ open }) => {
  const body = '{"id":5000,"name":"Ficus"}'
  const socket = await open()
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  const [first] = await once(socket, 'data')
  expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write(body)
  expect(toReplies(await drain(socket))).toMatchObject([{ status: 200, text: '{"name":"Ficus"}' }])
})
