import { expect, test } from 'vitest'
import { version } from '../../package.json'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { drain, openSocket, toReplies } from '../support/socket.ts'

/** Asks a server with a token, which is also known as greenhouse. */
async function ask(line: string, headers: readonly string[], host = 'greenhouse') {
  await using server = await serve(createGreenhouse(), { allowHosts: ['greenhouse'], token: 'secret' })
  const socket = await openSocket(server.port)
  socket.write(
    [`${line} HTTP/1.1`, `Host: ${host}:${server.port}`, 'Connection: close', ...headers, '', ''].join('\r\n'),
  )
  const [reply] = toReplies(await drain(socket))
  return [reply!.status, reply!.text]
}

const health = '/__greenhouse/health'

test('without the token, the probe says that a server is up, and nothing else', async () => {
  expect(await ask(`GET ${health}`, [])).toEqual([200, '{"status":"ok"}'])
  expect(await ask(`HEAD ${health}`, [])).toEqual([200, ''])
  expect(await ask(`GET ${health}`, [], '127.0.0.1')).toEqual([200, '{"status":"ok"}'])
  const [status, text] = await ask(`GET ${health}`, ['Authorization: Bearer secret'])
  expect([status, JSON.parse(text as string)]).toEqual([200, { status: 'ok', version, worlds: 1 }])
})

test.each([
  ['a wrong token', `GET ${health}`, ['Authorization: Bearer wrong'], 'greenhouse'],
  ['an empty token', `GET ${health}`, ['Authorization:'], 'greenhouse'],
  ['another method', `POST ${health}`, [], 'greenhouse'],
  ['a query', `GET ${health}?x=1`, [], 'greenhouse'],
  ['another route', 'GET /__greenhouse/worlds', [], 'greenhouse'],
  ['a route below it', `GET ${health}/worlds`, [], 'greenhouse'],
  ['a host of a stranger', `GET ${health}`, [], 'attacker.example'],
  ['a page of another site', `GET ${health}`, ['Origin: https://attacker.example'], 'greenhouse'],
  ['an image of another site', `GET ${health}`, ['Sec-Fetch-Site: cross-site'], 'greenhouse'],
])('%s gets nothing without the token', async (_title, line, headers, host) => {
  const [status, text] = await ask(line, headers, host)
  expect([status, JSON.parse(text as string).error.code]).toEqual([403, 'forbidden'])
})
