import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { expect, test } from 'vitest'
import { exchangeWith, key, served, toRequest } from '../support/socket.ts'
import { expectTurnedAway, traceOf } from './rejected.ts'

const foreign =
  'attacker.example ATTACKER.example localhost.evil evil-localhost localhost. app.localhost. localhost.localdomain ' +
  '127.0.0.1.nip.io 127.0.0.1. 127.1 2130706433 0x7f000001 127.0.0.256 1.2.3.4.5 [::1 [fe80::1%25lo] [] [1] ' +
  '. .localhost.evil api under_score.test a,b localhost,attacker.example'
const paths = ['/plants', '/~stranger/plants', '/~stranger/v1/apps', '/nowhere']
const ask = (host: string, path: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${key}\r\nConnection: close\r\n\r\n`

served(
  'a Host that is no name of this server touches no world',
  async ({ greenhouse, exchange }) => {
    const before = traceOf(greenhouse)
    for (const host of ['', ...foreign.split(' ')])
      for (const path of paths)
        for (const [method, name] of Object.entries({ GET: host, DELETE: `${host}:4010` })) {
          const [reply, ...more] = await exchange(ask(name, path, method))
          expect(more).toEqual([])
          // An invalid Host is rejected earlier.
          if (reply!.status === 400) expect(host).toMatch(/^\[/)
          else expectTurnedAway(reply!, path, /--allow-host/)
        }
    expect(traceOf(greenhouse)).toEqual(before)
  },
)

served('the message names the host and the flag', async ({ exchange }) => {
  const [reply] = await exchange(ask('api.test:4010', '/plants'))
  expect(JSON.parse(reply!.text).message).toBe(
    `Blocked: the host "api.test" is not a name of this server. Allow it with --allow-host api.test, or serve(greenhouse, { allowHosts: ['api.test'] }) in code.`,
  )
  const [long] = await exchange(ask('x'.repeat(9_000), '/plants'))
  expect(long!.text.length).toBeLessThan(400)
})

served(
  'a preflight and a page of this machine get no further by a foreign Host',
  async ({ greenhouse, exchange }) => {
    for (const [method, headers] of [
      ['OPTIONS', 'Access-Control-Request-Method: GET\r\n'],
      ['GET', ''],
    ] as const) {
      const [reply] = await exchange(
        `${method} /~x/plants HTTP/1.1\r\nHost: attacker.example\r\nOrigin: http://localhost:5173\r\n${headers}Connection: close\r\n\r\n`,
      )
      expect(reply!.status).toBe(403)
    }
    expect(greenhouse.worlds()).toEqual(['default'])
  },
)

async function statusOf(port: number, host: string): Promise<number> {
  return (await exchangeWith(port, ask(host, '/plants')))[0]!.status
}

test('allowed names match in any case and on any port; a leading dot allows subdomains too', async () => {
  await using server = await serve(createGreenhouse(), {
    allowHosts: ['api', 'Mock_1', '.example.com'],
  })
  const own = 'api API:4010 mock_1 example.com a.example.com:80 A.B.Example.com localhost 127.0.0.1'
  const foreign = 'api. api.evil xapi notexample.com example.com.evil mock-1 attacker.example'
  for (const host of own.split(' ')) expect(await statusOf(server.port, host), host).toBe(200)
  for (const host of foreign.split(' ')) expect(await statusOf(server.port, host), host).toBe(403)
})

test('the host that the server listens on is accepted', async () => {
  await using server = await serve(createGreenhouse(), { host: 'localhost' })
  const headers = { authorization: 'Bearer key_pro' }
  expect((await fetch(`http://localhost:${server.port}/plants`, { headers })).status).toBe(200)
})

test.each(['', '.', 'http://api', 'api:4010', 'a b', '*', 'a..b', '[::1]'])(
  'the name %j is none, and rejected before anything listens',
  async (name) => {
    await expect(serve(createGreenhouse(), { allowHosts: ['api', name] })).rejects.toThrow(
      /^Failed to call serve\(\): allowHosts\.\d: expected a host name without a scheme or a port/,
    )
  },
)

served('names of this machine and addresses are taken, with any port', async ({ exchange }) => {
  const names =
    'localhost LOCALHOST:4010 app.localhost App.LocalHost:80 127.0.0.1:1 127.8.9.10 192.168.1.5:4010 0.0.0.0 ' +
    '[::1]:4010 [2001:DB8::7] localhost:'
  for (const host of names.split(' '))
    expect((await exchange(ask(host, '/plants')))[0], host).toMatchObject({ status: 200 })
})

served('HTTP/1.0 needs no Host', async ({ exchange }) => {
  const [reply] = await exchange(`GET /plants?limit=1 HTTP/1.0\r\n${key}\r\n\r\n`)
  expect(reply).toMatchObject({ status: 200 })
})

test('the first handler sees no request with a foreign Host or from a page that is not let in', async () => {
  const seen: string[] = []
  await using server = await serve(createGreenhouse({ cors: ['https://shop.example'] }), {
    first: async ({ request, response }) => {
      seen.push(`${request.method} ${request.url}`)
      response.writeHead(299).end()
      return true
    },
  })
  const [shop, other] = ['Origin: https://shop.example', 'Origin: https://other.example']
  const [local, asks] = ['Host: localhost', 'Access-Control-Request-Method: POST']
  for (const [line, status, ...headers] of [
    ['GET /a', 403, 'Host: attacker.example'],
    ['POST /b', 403, local, other],
    ['GET /c', 403, local, 'Sec-Fetch-Site: cross-site'],
    ['OPTIONS /d', 403, local, asks, other],
    ['GET /e', 299, local],
    ['POST /f', 299, local, shop],
    ['OPTIONS /g', 299, local, asks, shop],
  ] as const) {
    const [reply] = await exchangeWith(server.port, toRequest(line, headers))
    expect([line, reply!.status]).toEqual([line, status])
  }
  expect(seen).toEqual(['GET /e', 'POST /f', 'OPTIONS /g'])
})
