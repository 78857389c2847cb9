import { once } from 'node:events'
import { request } from 'node:https'
import { connect as connectTls } from 'node:tls'
import { join } from 'node:path'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadConfig } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { command, startCommand } from '../support/process.ts'
import { exchangeWith, openSocket, toRequest } from '../support/socket.ts'
// A committed certificate for this machine, valid for a hundred years: its key is worth nothing.
import { selfSigned as tls } from '../verify/servers.ts'

const otherKey = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})

const writePair = () =>
  writeFolder({
    'cert.pem': tls.cert,
    'key.pem': tls.key,
    'other.pem': String(otherKey),
    'cert.der': new X509Certificate(tls.cert).raw,
    'greenhouse.config.json': '{ "tls": { "cert": "cert.pem", "key": "./key.pem" } }',
    'proxy.json':
      '{ "proxy": { "plants": "http://127.0.0.1:4", "ca": "cert.pem", "record": "learnt" } }',
  })

function ask(
  url: string,
  method = 'GET',
  body?: string,
): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: 'Bearer key_pro',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return new Promise((resolve, reject) => {
    request(url, { method, headers, ca: tls.cert, agent: false }, (reply) => {
      let text = ''
      reply
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve({ status: reply.statusCode!, text }))
        .on('error', reject)
    })
      .on('error', reject)
      .end(body)
  })
}

test.each<
  [what: string, pair: (folder: string) => { cert: string | Uint8Array; key: string | Uint8Array }]
>([
  ['files', (folder) => ({ cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') })],
  ['texts', () => tls],
  ['bytes', () => ({ cert: Buffer.from(tls.cert), key: Buffer.from(tls.key) })],
])('a certificate and its key are %s', async (_, pair) => {
  await using server = await serve(createGreenhouse(), { tls: pair(writePair()) })
  expect(server.url).toBe(`https://127.0.0.1:${server.port}`)
  expect((await ask(`${server.url}/plants?limit=1`)).status).toBe(200)
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

test('the APIs, the control API, the panel and MCP are at https', async () => {
  const folder = writePair()
  const { ready } = await startServe(['--config', join(folder, 'greenhouse.config.json')])
  const url = ready.plants_url
  expect(url).toMatch(/^https:/)
  expect(ready).toMatchObject({ apps_url: `${url}/v1`, panel_url: `${url}/__greenhouse/` })
  expect(JSON.parse((await ask(`${url}/__greenhouse/start`)).text)).toMatchObject({
    plants_url: url,
  })
  expect((await ask(ready.panel_url)).text).toMatch(/<html/)
  expect((await ask(`${url}/__greenhouse/mcp`, 'POST', JSON.stringify(initialize))).text).toContain(
    '"serverInfo"',
  )
})

test('a command of run reaches the server, and status does too', async () => {
  const folder = writePair()
  const cert = join(folder, 'cert.pem')
  const script = `const { PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL } = process.env
    console.log(PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL)
    require('node:child_process').spawnSync(process.execPath, [${JSON.stringify(command)}, 'status'], { stdio: 'inherit' })`
  const words = [
    'run',
    '--tls-cert',
    cert,
    '--tls-key',
    join(folder, 'key.pem'),
    '--',
    process.execPath,
    '-e',
    script,
  ]
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert, http_proxy: 'http://[::1]:4' }
  const { ended } = startCommand(words, { env })
  const { code, stdout, stderr } = await ended
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^(https:\S+) \1\/v1 \1\nServer +\1,/)
})

test('an untrusted certificate, and https where there is none, are errors that say so', async () => {
  await using secure = await serve(createGreenhouse(), { tls })
  await using plain = await serve(createGreenhouse())
  const status = async (url: string) => (await run(['status', '--server', url])).stderr
  expect(await status(secure.url)).toMatch(/SELF_SIGNED.*NODE_EXTRA_CA_CERTS/)
  expect(await status(secure.url.replace('https', 'http'))).toMatch(
    /^This port speaks TLS. Use https:/,
  )
  expect(await status(plain.url.replace('http', 'https'))).toMatch(/^Failed to reach a Greenhouse/)
})

test('a client without TLS, or with a failed handshake, is logged and counted', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse, { tls })
  const refused: object[] = []
  greenhouse.requests.observe(
    () => undefined,
    (notice) =>
      void (notice.event === 'refused' && refused.push([notice.request.path, notice.reason])),
  )
  const replies = await exchangeWith(server.port, toRequest('GET /plants'))
  expect(replies).toMatchObject([{ status: 400, text: expect.stringContaining('Use https://') }])
  const wrong = await openSocket(server.port)
  wrong.on('error', () => undefined).write(new Uint8Array([0x16, 3, 1, 0, 4, 1, 0, 0, 0]))
  await expect
    .poll(() => refused)
    .toEqual([
      ['/plants', expect.stringContaining('Use https://')],
      ['', expect.stringMatching(/^The TLS handshake failed: .+\. A client has to trust/)],
    ])
  const journal = await ask(`${server.url}/__greenhouse/worlds/default/journal?before=1`)
  expect(JSON.parse(journal.text)).toMatchObject({ unrecorded: { tls: 2 } })
})

test.each(['connection-reset', 'network-error'])(
  '%s cuts the connection without a reply',
  async (scenario) => {
    await using server = await serve(createGreenhouse({ use: [scenario as never] }), { tls })
    await expect(ask(`${server.url}/plants`)).rejects.toThrow('socket hang up')
  },
)

test('a close ends connections that sent nothing, began TLS, or sent no request', async () => {
  const server = await serve(createGreenhouse(), { tls })
  const begun = await openSocket(server.port)
  begun.write(new Uint8Array([0x16, 3, 1]))
  const secure = connectTls({ port: server.port, host: '127.0.0.1', ca: tls.cert })
  await once(secure, 'secureConnect')
  const sockets = [await openSocket(server.port), begun, secure]
  for (const socket of sockets) socket.on('error', () => undefined).resume()
  const ended = sockets.map((socket) =>
    once(
      socket.on('end', () => socket.destroy()),
      'close',
    ),
  )
  await server.close()
  await Promise.all(ended)
  // Less than the ten seconds that a handshake may take, which would end them too.
}, 9_000)

test.each<[words: string, reason: RegExp]>([
  ['--tls-cert cert.pem', /is missing/],
  ['--tls-key key.pem', /is missing/],
  ['--tls-cert nowhere.pem --tls-key key.pem', /ENOENT.*nowhere.pem/],
  ['--tls-cert cert.pem --tls-key other.pem', /does not belong/],
  ['--tls-cert key.pem --tls-key cert.pem', /PEM/],
  ['--tls-cert cert.der --tls-key key.pem', /PEM/],
])('%s is one sentence and exit code 2', async (words, reason) => {
  const folder = writePair()
  const files = words
    .split(' ')
    .map((word) => (/\.(pem|der)$/.test(word) ? join(folder, word) : word))
  const { code, stderr } = await run(['serve', '--port', '0', ...files])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^Failed to serve https: .+\n$/)])
  expect(stderr).toMatch(reason)
})

test('paths of the configuration start at its folder, and no key is printed', async () => {
  const folder = writePair()
  const config = join(folder, 'greenhouse.config.json')
  const { stdout } = await run(['config', '--json', '--config', config])
  const values = Object.fromEntries(
    JSON.parse(stdout).data.map(({ name, value }: any) => [name, value]),
  )
  const cert = join(folder, 'cert.pem')
  expect(values).toMatchObject({ 'tls.cert': cert, 'tls.key': join(folder, 'key.pem') })
  const { greenhouse } = await loadConfig({ file: join(folder, 'proxy.json') })
  expect(greenhouse.proxy).toMatchObject({ ca: cert, record: join(folder, 'learnt') })
  const encoded = Buffer.from(tls.key).toString('base64')
  for (const key of [tls.key, encoded]) {
    const inline = join(
      writeFolder({ 'own.json': JSON.stringify({ tls: { cert, key } }) }),
      'own.json',
    )
    expect((await run(['config', '--config', inline])).stdout).not.toContain(key.slice(-60, -30))
  }
  const { stderr } = await run(['serve', '--port', '0', '--tls-cert', cert, '--tls-key', encoded])
  expect(stderr).toMatch(/^Failed to serve https: a text without "-----BEGIN" is not PEM/)
})
