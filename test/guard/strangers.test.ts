import { expect } from 'vitest'
import { served, toReplies, toRequest, drain, openSocket, key } from '../support/socket.ts'
import { expectTurnedAway, traceOf } from './stranger.ts'

const paths = [
  '/plants',
  '/~stranger/plants',
  '/~stranger/v1/apps',
  '/v1/apps?limit=1',
  '/nowhere',
  '/~',
  '/~bad!name/v1',
  '/v1',
  '/plants/%zz',
  '/__greenhousex',
]

/** Headers that browsers send for pages of other sites. */
const strangers: Record<string, string[]> = {
  'an image': ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'],
  'a link': ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'],
  fetch: ['Origin: https://shop.example', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors'],
  'fetch of a browser that sends no Sec-Fetch': ['Origin: https://shop.example'],
  'fetch of a page beside': ['Origin: http://shop.example', 'Sec-Fetch-Site: same-site'],
  'a frame in a sandbox': ['Origin: null', 'Sec-Fetch-Site: cross-site'],
  'a file': ['Origin: null'],
  'a socket': [
    'Origin: https://shop.example',
    'Sec-Fetch-Site: cross-site',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==',
  ],
  'a name that only looks like this machine': ['Origin: http://localhost.shop.example', 'Sec-Fetch-Site: cross-site'],
  'two origins': ['Origin: http://localhost:5173', 'Origin: https://shop.example'],
}

for (const [who, marks] of Object.entries(strangers))
  served(`${who} of another site is turned away, and no world is made or touched`, async ({ greenhouse, request }) => {
    for (const name of ['kept', 'default']) greenhouse.world(name)
    const before = traceOf(greenhouse)
    for (const path of paths)
      for (const method of ['GET', 'POST', 'DELETE'])
        expectTurnedAway(
          await request(`${method} ${path}`, marks, method === 'POST' ? '{"id":1,"name":"x"}' : ''),
          path,
          /--cors/,
        )
    expect(traceOf(greenhouse)).toEqual(before)
  })

const named = [
  'X-Greenhouse-World: stranger',
  'X-Greenhouse-Scenario: nonsense',
  'Authorization: Bearer key_pro@stranger',
]

served('neither the header nor the key of a stranger leads to a world', async ({ greenhouse, exchange }) => {
  for (const header of named) {
    const [reply] = await exchange(toRequest('GET /plants', [header, 'Origin: https://shop.example']))
    expectTurnedAway(reply!, '/plants', /--cors https:\/\/shop\.example/)
  }
  expect(greenhouse.worlds()).toEqual(['default'])
})

served('a page that names no host is a stranger too', async ({ exchange }) => {
  const [reply] = await exchange('GET /plants HTTP/1.0\r\nOrigin: https://shop.example\r\n\r\n')
  expectTurnedAway(reply!, '/plants', /--cors https:\/\/shop\.example/)
})

served(
  'a stranger draws from no stream of chance: what comes next is what would have come without it',
  async ({ greenhouse, request }) => {
    const next = async () => (await request('GET /v1/apps')).headers['x-request-id']
    const first = await next()
    greenhouse.world().reset()
    for (let count = 0; count < 3; count++) await request('GET /v1/apps', ['Origin: https://shop.example'])
    expect(await next()).toBe(first)
  },
)

served('a HEAD of a stranger gets the same without the body', async ({ exchange }) => {
  const socketText = await exchange(toRequest('HEAD /plants', [key, 'Sec-Fetch-Site: cross-site']))
  expect(socketText[0]).toMatchObject({ status: 403 })
})

served(
  'a stranger who sends a large body is turned away before it, and the connection lives on',
  async ({ greenhouse, server }) => {
    const socket = await openSocket(server.port)
    const body = 'x'.repeat(3_000_000)
    socket.write(
      `POST /plants HTTP/1.1\r\nHost: localhost\r\nOrigin: https://shop.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    socket.write(toRequest('GET /plants?limit=1', [key]))
    const replies = toReplies(await drain(socket))
    expect(replies.map(({ status }) => status)).toEqual([403, 200])
    expect(greenhouse.world().journal.size).toBe(1)
  },
)

served('a preflight of a stranger grants nothing, and reaches no world', async ({ greenhouse, exchange }) => {
  const [reply] = await exchange(
    toRequest('OPTIONS /~stranger/plants', [
      'Origin: https://shop.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Private-Network: true',
    ]),
  )
  expectTurnedAway(reply!, '/plants', /--cors https:\/\/shop\.example/)
  expect(Object.keys(reply!.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(greenhouse.worlds()).toEqual(['default'])
})
