import { createServer } from 'node:http'
import { connect, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { answerUntilEnd, listen } from '../support/listen.ts'
import { writeFolder } from '../support/folder.ts'
import { selfSigned, serveHttp, serveHttps } from '../verify/servers.ts'
import { standInFront } from './in-front.ts'

test('a certificate is checked, unless it is named or checks are off', async () => {
  const plants = await serveHttps((_, response) => response.end('[]'))
  const strict = await standInFront({ plants })
  const rejected = await strict.send('/plants')
  expect([rejected.status, await rejected.text()]).toEqual([
    502,
    expect.stringContaining('SELF_SIGNED'),
  ])
  const ca = join(writeFolder({ 'ca.pem': selfSigned.cert }), 'ca.pem')
  for (const trust of [{ ca }, { insecure: true }]) {
    const { send } = await standInFront({ plants, ...trust })
    expect(await (await send('/plants')).text()).toBe('[]')
  }
  const key = join(writeFolder({ 'key.pem': selfSigned.key }), 'key.pem')
  await expect(standInFront({ plants, ca: key })).rejects.toThrow(
    `Failed to trust the authorities in ${key}: it has no certificate in PEM.`,
  )
})

test('a proxy of the environment is used, but never for this machine', async () => {
  const asked: unknown[] = []
  const secure = await serveHttps((request, response) =>
    response.end(`"tls ${request.headers.host}"`),
  )
  const proxy = createServer((request, response) => {
    asked.push([request.url, request.headers['proxy-authorization'], request.headers.host])
    response.end('"plain"')
  })
  proxy.on('connect', (request, socket) => {
    asked.push([request.url, request.headers['proxy-authorization']])
    const tunnel = connect(Number(new URL(secure).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('error', () => tunnel.destroy())
  })
  const url = (await serveHttp(proxy)).replace('//', '//me:se%2Fcret@')
  const here = await answerUntilEnd((_, response) => response.end('"here"'))
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
    vi.stubEnv(name, url)
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, 'direct.invalid')
  const credentials = `Basic ${Buffer.from('me:se/cret').toString('base64')}`
  const { send } = await standInFront({
    plants: 'http://plants.invalid/base',
    apps: 'https://apps.invalid/v1',
    insecure: true,
  })
  const local = await standInFront({ plants: here })
  const direct = await standInFront({ plants: 'http://direct.invalid' })
  vi.unstubAllEnvs()
  expect(await (await send('/plants?a=%2F')).text()).toBe('"plain"')
  expect(await (await send('/v1/apps')).text()).toBe('"tls apps.invalid"')
  expect(await (await local.send('/plants')).text()).toBe('"here"')
  expect((await direct.send('/plants')).status).toBe(502)
  expect(asked).toEqual([
    ['http://plants.invalid/base/plants?a=%2F', credentials, 'plants.invalid'],
    ['apps.invalid:443', credentials],
  ])
})

test('a proxy of the environment that does not answer, or is no http', async () => {
  const silent = createNetServer()
  const { url, close } = await listen(silent)
  onTestFinished(close)
  vi.stubEnv('HTTPS_PROXY', url).stubEnv('https_proxy', url)
  const { send } = await standInFront({ plants: 'https://plants.invalid', timeout: 300 })
  expect((await send('/plants')).status).toBeGreaterThanOrEqual(502)
  vi.stubEnv('HTTPS_PROXY', 'socks5://127.0.0.1:1').stubEnv('https_proxy', 'socks5://127.0.0.1:1')
  await expect(standInFront({ plants: 'https://plants.invalid' })).rejects.toThrow(
    'Failed to forward to https://plants.invalid: the proxy of the environment is no http: URL.',
  )
  vi.unstubAllEnvs()
})
