import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { ask } from '../support/socket.ts'

const html = 'Accept: text/html,application/xhtml+xml,*/*;q=0.8'

async function open(line: string, headers: string[], options: Parameters<typeof serve>[1] = {}) {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse, options)
  const reply = await ask(server.port, line, headers)
  return [reply.status, reply.headers['location']]
}

const panel = [303, '/__greenhouse/']

test('a browser that opens / or /__greenhouse is sent to the panel', async () => {
  for (const line of ['GET /', 'HEAD /', 'GET /__greenhouse', 'GET /__greenhouse?x=1'])
    expect([line, await open(line, [html])]).toEqual([line, panel])
  expect(await open('GET /__greenhouse', [html], { token: 'secret' })).toEqual(panel)
  expect(await open('GET /', [html], { token: 'secret' })).toEqual(panel)
})

test('a path that has /__greenhouse further behind is not the control API', async () => {
  expect((await open('GET /__greenhouse/health', ['Accept: */*']))[0]).toBe(200)
  expect((await open('GET /_x/__greenhouse/health', ['Accept: */*']))[0]).toBe(404)
})

test('anything else gets there what it always got', async () => {
  const others = ['Accept: */*', 'Accept: application/json', 'Accept: text/html;q=0', 'Accept: text/*', 'X-None: 1']
  for (const accept of others)
    for (const line of ['GET /', 'GET /__greenhouse', 'POST /__greenhouse', 'GET /__greenhouse/nope'])
      expect([line, accept, await open(line, [accept])]).toEqual([line, accept, [404, undefined]])
  expect(await open('POST /', [html])).toEqual([404, undefined])
  expect(await open('GET /?x=1', [html, 'Sec-Fetch-Site: none'])).toEqual(panel)
  expect(await open('GET /plants', [html])).toEqual([401, undefined])
})

const files = ['GET /__greenhouse/', 'GET /__greenhouse/panel/panel.js', 'GET /__greenhouse']

test.each([
  ['a foreign host', ['Host: attacker.example']],
  ['a name that looks like this machine', ['Host: 127.0.0.1.nip.io']],
  ['another origin', ['Origin: https://attacker.example']],
  ['another port', ['Origin: http://localhost:5173']],
  ['null', ['Origin: null']],
  ['a script of another site', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script']],
  ['a frame of another site', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe']],
  ['a delivery', ['webhook-id: 1']],
])('%s gets nothing of the panel', async (_title, headers) => {
  for (const line of files) expect([line, await open(line, [html, ...headers])]).toEqual([line, [403, undefined]])
  // Let in to the control API is not let in to the page.
  const origins = { controlOrigins: ['https://attacker.example', 'http://localhost:5173'] }
  for (const line of files)
    expect([line, await open(line, [html, ...headers], origins)]).toEqual([line, [403, undefined]])
})

test('a foreign host is not sent there from / either', async () => {
  expect(await open('GET /', [html, 'Host: attacker.example'])).toEqual([403, undefined])
})

test('a link on another page opens it', async () => {
  const opened = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
  expect(await open('GET /__greenhouse', [html, ...opened])).toEqual(panel)
  expect((await open('GET /__greenhouse/health', [html, ...opened]))[0]).toBe(403)
})
