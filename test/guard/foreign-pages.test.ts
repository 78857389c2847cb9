import type { RequestListener } from 'node:http'
import { createMiddleware as mountHandlers } from '@mswjs/http-middleware'
import express from 'express'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { answerUntilEnd } from '../support/listen.ts'
import { ask, served, toReplies, toRequest, drain, key } from '../support/socket.ts'
import { expectTurnedAway, traceOf } from './rejected.ts'

const paths =
  '/plants /~other/plants /~other/v1/apps /v1/apps?limit=1 /nowhere /~ /~bad!name/v1 /v1 /plants/%zz /__greenhousex'

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: x3JJHMbDL1E=',
]

/** Headers that browsers send for pages of other sites. */
const foreign: Record<string, string[]> = {
  'an image': ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'],
  'a link': ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'],
  fetch: ['Origin: https://shop.example', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors'],
  'fetch of a browser that sends no Sec-Fetch': ['Origin: https://shop.example'],
  'fetch of a page next to it': ['Origin: http://shop.example', 'Sec-Fetch-Site: same-site'],
  'a frame in a sandbox': ['Origin: null', 'Sec-Fetch-Site: cross-site'],
  'a file': ['Origin: null'],
  'a socket': ['Origin: https://shop.example', 'Sec-Fetch-Site: cross-site', ...upgrade],
  'a name that only looks like this machine': [
    'Origin: http://localhost.shop.example',
    'Sec-Fetch-Site: cross-site',
  ],
  'two origins': ['Origin: http://localhost:5173', 'Origin: https://shop.example'],
}

for (const [who, marks] of Object.entries(foreign))
  served(
    `${who} of another site is rejected, and no world is touched`,
    async ({ greenhouse, request }) => {
      for (const name of ['kept', 'default']) greenhouse.world(name)
      const before = traceOf(greenhouse)
      for (const path of paths.split(' '))
        for (const method of ['GET', 'POST', 'DELETE']) {
          const body = method === 'POST' ? '{"id":1,"name":"x"}' : ''
          expectTurnedAway(await request(`${method} ${path}`, marks, body), path, /--cors/)
        }
      expect(traceOf(greenhouse)).toEqual(before)
    },
  )

served(
  'neither a header nor the key of a foreign page leads to a world',
  async ({ greenhouse, exchange }) => {
    const named = [
      'X-Greenhouse-World: x',
      'X-Greenhouse-Scenario: nonsense',
      'Authorization: Bearer key_pro@x',
    ]
    for (const header of named) {
      const [reply] = await exchange(
        toRequest('GET /plants', [header, 'Origin: https://shop.example']),
      )
      expectTurnedAway(reply!, '/plants', /--cors https:\/\/shop\.example/)
    }
    expect(greenhouse.worlds()).toEqual(['default'])
  },
)

served('a foreign page that names no host is rejected too', async ({ exchange }) => {
  const [reply] = await exchange('GET /plants HTTP/1.0\r\nOrigin: https://shop.example\r\n\r\n')
  expectTurnedAway(reply!, '/plants', /--cors https:\/\/shop\.example/)
})

served(
  'a foreign page draws no random value, so what comes next stays the same',
  async ({ greenhouse, request }) => {
    const next = async () => (await request('GET /v1/apps')).headers['x-request-id']
    const first = await next()
    greenhouse.world().reset()
    for (let count = 0; count < 3; count++)
      await request('GET /v1/apps', ['Origin: https://shop.example'])
    expect(await next()).toBe(first)
  },
)

served('a HEAD of a foreign page gets the same without the body', async ({ exchange }) => {
  const [reply] = await exchange(toRequest('HEAD /plants', [key, 'Sec-Fetch-Site: cross-site']))
  expect(reply).toMatchObject({ status: 403, text: '' })
})

served(
  'a large body of a foreign page is rejected before it, and the connection lives on',
  async (host) => {
    const socket = await host.open()
    const head =
      'POST /plants HTTP/1.1\r\nHost: localhost\r\nOrigin: https://shop.example\r\nContent-Length: 3000000'
    socket.write(`${head}\r\n\r\n${'x'.repeat(3_000_000)}`)
    socket.write(toRequest('GET /plants?limit=1', [key]))
    expect(toReplies(await drain(socket)).map(({ status }) => status)).toEqual([403, 200])
    expect(host.greenhouse.world().journal.size).toBe(1)
  },
)

served(
  'a preflight of a foreign page grants nothing, and reaches no world',
  async ({ greenhouse, exchange }) => {
    const asks = [
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Private-Network: true',
    ]
    const [reply] = await exchange(
      toRequest('OPTIONS /~other/plants', ['Origin: https://shop.example', ...asks]),
    )
    expectTurnedAway(reply!, '/plants', /--cors https:\/\/shop\.example/)
    expect(Object.keys(reply!.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    )
    expect(greenhouse.worlds()).toEqual(['default'])
  },
)

const welcome: Record<string, string[]> = {
  'a program': [],
  'the address bar': ['Sec-Fetch-Site: none', 'Sec-Fetch-Mode: navigate'],
  'a page of this server': ['Sec-Fetch-Site: same-origin'],
  'a page of this server that creates': [
    'Sec-Fetch-Site: same-origin',
    'Origin: http://192.168.1.5:4010',
  ],
  'a page on another port': ['Origin: http://localhost:5173', 'Sec-Fetch-Site: same-site'],
  'a page on another name of this machine': [
    'Origin: http://localhost:5173',
    'Sec-Fetch-Site: cross-site',
  ],
  'an image of a page on another port': ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Dest: image'],
}

for (const [who, marks] of Object.entries(welcome))
  served(`${who} is let in`, async ({ exchange }) => {
    const [reply] = await exchange(toRequest('GET /~mine/plants', [key, ...marks]))
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'x-greenhouse': 'world=mine; operation=plants.list' },
    })
  })

served(
  'a page of a server in this network may call that server, also without Sec-Fetch',
  async ({ exchange }) => {
    const statusFor = async (host: string, origin: string) => {
      const headers = `Host: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\n${key}`
      return (await exchange(`GET /plants HTTP/1.1\r\n${headers}\r\n\r\n`))[0]!.status
    }
    expect(await statusFor('192.168.1.5:4010', 'http://192.168.1.5:4010')).toBe(200)
    expect(await statusFor('192.168.1.5:4010', 'http://192.168.1.5:3000')).toBe(403)
    expect(await statusFor('App.LocalHost:4010', 'http://app.localhost:4010')).toBe(200)
    expect(await statusFor('app.localhost:4010', 'http://APP.localhost:4010')).toBe(200)
  },
)

const crossSite = 'Sec-Fetch-Site: cross-site'

/**
 * By the origins that are named, the marks of a request, and its status. An image does not say
 * whose it is.
 */
const allowed: [cors: string, marks: string[], status: number][] = [
  ['https://shop.example', ['Origin: https://shop.example', crossSite], 200],
  ['https://shop.example', [crossSite], 403],
  ['https://shop.example', ['Origin: http://shop.example'], 403],
  ['*', ['Origin: https://shop.example', crossSite], 200],
  ['*', [crossSite], 200],
  ['*', ['Origin: null'], 200],
]

for (const [cors, marks, expected] of allowed)
  served(
    `with cors ${cors}, ${marks.join(' and ')} gets ${expected}`,
    async ({ request }) => {
      expect((await request('GET /plants', marks)).status).toBe(expected)
    },
    { cors: [cors] },
  )

const suggested = (text: string) => [
  /--(?:cors|allow-host) (.+?)(?:, or|$)/.exec(text)?.[1],
  /(?:cors|allowHosts): \['(.+?)'\]/.exec(text)?.[1],
]

served('a rejection says what to allow, where it can be typed as it is', async ({ exchange }) => {
  const long = 'x'.repeat(100)
  for (const [header, allowed] of [
    ['Origin: https://attacker.example', 'https://attacker.example'],
    ['Origin: HTTP://attacker.example:81', 'HTTP://attacker.example:81'],
    [`Origin: https://${long}`, `https://${long}`],
    [`Origin: https://${long}x`, 'ORIGIN'],
    ['Origin: not-https://attacker.example', 'ORIGIN'],
    ['Origin: https://attacker.example/$(ls)', 'ORIGIN'],
    ['Origin: null', 'ORIGIN'],
    ['Host: attacker.example', 'attacker.example'],
    ['Host: under_score-1.test:4010', 'under_score-1.test'],
    [`Host: ${long}`, long],
    [`Host: ${long}x`, 'NAME'],
    ['Host: $(ls).example', 'NAME'],
    ['Host: attacker.example;', 'NAME'],
    ['Host: a,b', 'NAME'],
  ] as const) {
    const headers = header.startsWith('Host') ? [header] : ['Host: localhost', header]
    const [reply] = await exchange(
      ['GET /plants HTTP/1.1', ...headers, key, 'Connection: close', '', ''].join('\r\n'),
    )
    expect(suggested(JSON.parse(reply!.text).message), header).toEqual([allowed, allowed])
  }
})

const mounts: [name: string, mount: (greenhouse: Greenhouse) => RequestListener][] = [
  ['the Express middleware', (greenhouse) => createMiddleware(greenhouse) as RequestListener],
  [
    '@mswjs/http-middleware',
    (greenhouse) => mountHandlers(...createHandlers(greenhouse)) as RequestListener,
  ],
]

test.each(mounts)(
  '%s rejects what browsers mark as of another site, not pages of this machine',
  async (_, mount) => {
    const greenhouse = createGreenhouse()
    const port = Number(new URL(await answerUntilEnd(express().use(mount(greenhouse)))).port)
    const get = (path: string, marks: string[]) => ask(port, `GET ${path}`, [key, ...marks])
    const [image, script] = [
      [crossSite, 'Sec-Fetch-Dest: image'],
      [crossSite, 'Origin: https://shop.example'],
    ]
    for (const path of ['/~other/plants', '/~other/v1/apps'])
      for (const marks of [image!, script!])
        expectTurnedAway(await get(path, marks), path, /--cors/)
    expect(greenhouse.worlds()).toEqual(['default'])
    for (const marks of [
      [],
      ['Origin: http://localhost:5173', crossSite],
      ['Sec-Fetch-Site: same-origin'],
    ])
      expect(await get('/~mine/plants', marks)).toMatchObject({ status: 200 })
  },
)

test('a HEAD that is turned away has no body', async () => {
  const request = new Request('http://any/plants', {
    method: 'HEAD',
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  const response = await getResponse(createHandlers(createGreenhouse()), request)
  expect([response?.status, await response?.text()]).toEqual([403, ''])
})
