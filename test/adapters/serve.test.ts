import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { key, openSocket } from '../support/socket.ts'
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import { firstLine, startProcess } from '../support/process.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? [])
const hasIPv6 = addresses.some(({ address }) => address === '::1')

test('a server listens on a free port of 127.0.0.1 by default', async () => {
  await using one = await serve(createGreenhouse())
  await using other = await serve(createGreenhouse(), { port: 0 })
  expect(one.port).toBeGreaterThan(0)
  expect(one.port).not.toBe(other.port)
  expect(one.url).toBe(`http://127.0.0.1:${one.port}`)
})

test('a host that does not exist is an error that names it', async () => {
  await expect(
    serve(createGreenhouse(), { host: 'nowhere.invalid', token: 'secret' }),
  ).rejects.toThrow('Failed to listen on nowhere.invalid:0:')
})

test.runIf(hasIPv6)('an IPv6 address stands in brackets in the URL', async () => {
  await using server = await serve(createGreenhouse(), { host: '::1' })
  expect(server.url).toBe(`http://[::1]:${server.port}`)
  const response = await fetch(`${server.url}/plants`, {
    headers: { authorization: 'Bearer key_pro' },
  })
  expect(response.status).toBe(200)
  await expect(openSocket(server.port, '127.0.0.1')).rejects.toThrow('ECONNREFUSED')
})

test.each(['127.0.0.1', ...(hasIPv6 ? ['::1'] : [])])(
  'a taken port of %s is named, and the flag',
  async (host) => {
    await using taken = await serve(createGreenhouse(), { host })
    const { host: name } = new URL(taken.url)
    await expect(serve(createGreenhouse(), { host, port: taken.port })).rejects.toThrow(
      `Failed to listen on ${name}: port ${taken.port} is taken. Choose another with --port`,
    )
  },
)

for (const host of ['0.0.0.0', '::', '192.168.1.20', 'nowhere.invalid'])
  test(`a host that other machines can reach needs a token: ${host}`, async () => {
    await expect(serve(createGreenhouse(), { host })).rejects.toThrow(
      `Failed to call serve(): the host "${host}" lets other machines reach this server, its control API included. Set a secret`,
    )
  })

test('a host that is no address and no name is refused', async () => {
  await expect(serve(createGreenhouse(), { host: '0' })).rejects.toThrow(
    'Failed to call serve(): host: expected an address or a host name of this machine',
  )
})

const dist = (file: string) => JSON.stringify(pathToFileURL(resolve('dist', file)).href)

/**
 * Runs a Node script that serves, prints its address, does `work`, and never calls `process.exit`.
 */
async function runScript(
  work: string,
  meanwhile: (port: number) => Promise<unknown> = async () => undefined,
) {
  const script = `
    const [{ createGreenhouse }, { serve }] = await Promise.all([import(${dist('index.js')}), import(${dist('server.js')})])
    const greenhouse = createGreenhouse()
    const server = await serve(greenhouse)
    const call = (method, path, body) => fetch(server.url + path, { method, headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const asked = (count) => new Promise((resolve) => greenhouse.subscribe(() => --count === 0 && resolve()))
    ${work.includes('asked(') ? '' : 'console.log(JSON.stringify({ port: server.port }))'}
    ${work}
    console.log('closed')`
  const { child, output, ended } = startProcess(process.execPath, [
    '--input-type=module',
    '-e',
    script,
  ])
  const { port } = JSON.parse(await firstLine(child, output, ended))
  await meanwhile(port)
  expect(await ended).toMatchObject({
    code: 0,
    signal: null,
    stdout: expect.stringMatching(/closed\n$/),
    stderr: '',
  })
}

const tell = 'console.log(JSON.stringify({ port: server.port }))'

test('a script ends by itself once its server is closed, also twice', () =>
  runScript('await Promise.all([server.close(), server.close()]); await server.close()'))

test('a script ends by itself with receivers that never answer, and what waits for them', async () => {
  const receiver = await startReceiver(() => 'never')
  await runScript(`
    for (let hook = 0; hook < 3; hook++) await call('POST', '/v1/webhooks', { url: '${receiver.url}?' + hook })
    for (let id = 9_000; id < 9_010; id++) await call('POST', '/plants', { id, name: 'Fern' })
    const graded = greenhouse.world().examine(greenhouse.world().records.webhooks.all()[0].id)
    await server.close()
    await greenhouse.world().settled()
    await graded`)
})

test('a script ends by itself while retries are due and a control call waits for deliveries', async () => {
  const receiver = await startReceiver((_, place) => (place === 0 ? 500 : 'never'))
  await runScript(`
    await call('POST', '/v1/webhooks', { url: '${receiver.url}', events: ['plant.created'] })
    await call('POST', '/plants', { id: 9_000, name: 'Fern' })
    await greenhouse.world().settled()
    const moved = call('PATCH', '/__greenhouse/worlds/default/clock', { advance: '10s' })
    while (greenhouse.world().clock.now() < Date.now() + 5_000) await new Promise((resolve) => setTimeout(resolve, 5))
    await server.close()
    console.log((await moved).status)`)
})

const scenario = 'X-Greenhouse-Scenario: very-slow:ms=600000'
const slow = ['GET /plants HTTP/1.1', 'Host: 127.0.0.1', key, scenario, '', ''].join('\r\n')

/** Sends bytes, and reads what comes. */
const send = async (port: number, bytes: string) => (await openSocket(port)).resume().write(bytes)

test('a script ends by itself while replies are held back for ten minutes', () =>
  runScript(`const both = asked(2); ${tell}; await both; await server.close()`, async (port) => {
    for (let connection = 0; connection < 2; connection++) await send(port, slow + slow)
  }))

test('a script whose server could not listen ends by itself', async () => {
  await runScript(`
    const reason = await serve(createGreenhouse(), { port: server.port }).catch((error) => error.message)
    if (!/is taken/.test(reason)) throw new Error(reason)
    await server.close()`)
})
