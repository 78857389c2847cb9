import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { expect, onTestFinished, test } from 'vitest'
import { ask, exchangeWith, key } from '../support/socket.ts'
import { open, testApi } from '../support/test-api.ts'
import { deliverPlants, logOf, open as openWebhooks, subscribe } from '../webhooks/open.ts'

const words = (text: string) => text.split(' ')

/** Asserts which texts a question means, and which others only look like them. */
async function expectAnswers(
  ask: (text: string) => boolean | Promise<boolean>,
  yes: string,
  no: string,
): Promise<void> {
  for (const text of words(yes)) expect([text, await ask(text)]).toEqual([text, true])
  for (const text of words(no)) expect([text, await ask(text)]).toEqual([text, false])
}

/** Whether a Greenhouse without allowed origins lets a page of this one read its replies. */
async function isOfThisMachine(origin: string): Promise<boolean> {
  const { headers } = await open().call('GET', '/plants', { headers: { origin } })
  return headers.get('access-control-allow-origin') === origin
}

const accepts = (toOptions: (text: string) => GreenhouseOptions) => (text: string) => {
  try {
    createGreenhouse(toOptions(text))
    return true
  } catch {
    return false
  }
}

async function acceptsHost(name: string): Promise<boolean> {
  try {
    await (await serve(createGreenhouse(), { allowHosts: [name] })).close()
    return true
  } catch {
    return false
  }
}

test('only addresses of this machine count as such, however they are written', () =>
  expectAnswers(
    (address) => isOfThisMachine(`http://${/^[^[]*:/.test(address) ? `[${address}]` : address}`),
    '127.0.0.1 127.255.255.255 127.9.10.199 127.245.250.2 ::1 [::1] ::ffff:127.0.0.1 ::FFFF:127.0.0.1 ::ffff:7f00:1 [::ffff:7fff:ffff]',
    '128.0.0.1 126.0.0.1 127.0.0.256 127.0.0.01 127.0.0 127.0.0.1.1 x127.0.0.1 127.0.0.1x ::2 ::11 x::1 ::ffff:8000:1 ::ffff:7f000:1 ::ffff:7f00:12345 x::ffff:7f00:1 ::ffff:7f00:1x 1270.0.1',
  ))

test('a page of this machine has an origin with its name or address', () =>
  expectAnswers(
    isOfThisMachine,
    'http://localhost https://localhost:5173 HTTP://LOCALHOST:1 http://[::1]:80 http://127.0.0.1:12345',
    'ftp://localhost localhost http://localhost:123456 http://localhost: http://localhost:x http://a.test http://localhost.a.test http://localhost/ http://a.test://localhost http://[::1]x null xhttp://localhost httpss://localhost',
  ))

test('a host to which webhooks may go is written as a URL has it', () =>
  expectAnswers(
    accepts((host) => ({ webhooks: { allow: [host] } })),
    'localhost a.test A.test 127.0.0.1 ::1 [::1] a-b.test',
    '2130706433 ex%61mple a.test:80 a.test:8080 a/b a?b a#b a@b a\\b a*b [::1]:80 0127.0.0.1 [0:0:0:0:0:0:0:1] x:y',
  ))

test('a name of a server has labels of 63 characters, and no port', () =>
  expectAnswers(
    acceptsHost,
    `localhost a.test .a.test a_b-c.9 ${'x'.repeat(63)}.test`,
    `${'x'.repeat(64)}.test a..test a.test. ..a a/b a:1 a.te*st`,
  ))

test('an origin that may call is written as browsers send it', () =>
  expectAnswers(
    accepts((origin) => ({ cors: [origin] })),
    'http://localhost:5173 https://a.test capacitor://localhost tauri+x-1.0://a',
    'http://a.test/ http://a.test:80 https://a.test:443 HTTP://a.test http://A.test a.test http:// http://a.test/x http://a.test?x http://a.test#x http://u@a.test http://*.a.test 1x://a xhttp//a.test null',
  ))

test('the base of a service is an origin with a path, and nothing more', () =>
  expectAnswers(
    accepts((plants) => ({ proxy: { plants } })),
    'http://a.test HTTPS://A.test:443/x/ http://a.test/x//',
    'a.test ftp://a.test http:// http://a.test/?x http://a.test/? http://a.test/#x http://u@a.test http://:p@a.test xhttp://a.test',
  ))

test('the control API is at its path, and not where that is a part of another', async () => {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const host = `127.0.0.1:${server.port}`
  const { journal } = greenhouse.world()
  const isControl = async (target: string) => {
    const before = journal.size
    const [reply] = await exchangeWith(
      server.port,
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${key}\r\nConnection: close\r\n\r\n`,
    )
    // A request that no parser reads is in no journal, either.
    return journal.size === before && /control API|must name a path/.test(reply!.text)
  }
  await expectAnswers(
    isControl,
    '/__greenhouse /__greenhouse/ /__greenhouse?x /__greenhouse#x http://a.test/__greenhouse/x',
    '/ /plants /__greenhouses /_greenhouse /x/__greenhouse http://a.test/x/__greenhouse http://a.test?/__greenhouse',
  )
})

test('no webhook leads to the control API, however its path is written', async () => {
  const client = openWebhooks({ assumptions: { 'webhooks.retries': 'none' } })
  const errorOf = async (path: string) => {
    const webhook = await subscribe(client, `http://127.0.0.1:9${path}`)
    await deliverPlants(client, 1, plant++)
    const [{ attempts }] = await logOf(client, webhook)
    return String(attempts[0].error)
  }
  let plant = 9_000
  const isBlocked = async (path: string) => (await errorOf(path)).includes('control API')
  await expectAnswers(
    isBlocked,
    '/__greenhouse /x/__GREENHOUSE /x/__greenhouse/y /\\__greenhouse /%5f_greenhouse /%255f_greenhouse /%25255F%5fgreenhouse /x%2f__greenhouse /__greenhouse%2f',
    '/__greenhouses /__greenhouse.x /__greenhouse-x /__greenhouse%2dx /x__greenhouse /_greenhouse /%8f__greenhouse',
  )
})

test('a path may name a world, and letters of it may be escaped', async () => {
  const { greenhouse, send } = open()
  const worlds = async (path: string) => {
    const { status } = await send(path, { headers: { authorization: 'Bearer key_pro' } })
    const found = greenhouse.worlds().filter((name) => name !== 'default')
    for (const name of found) greenhouse.deleteWorld(name)
    return [status, ...found]
  }
  expect(await worlds('/~w/plants?limit=1')).toEqual([200, 'w'])
  expect(await worlds('/%7ew/%70lants')).toEqual([200, 'w'])
  expect(await worlds('/%2D%2E/%30')).toEqual([404])
  expect(await worlds('/~w%2D%2E%30%39%41%4F%50%5A%5F%61%6f%70%7A/plants')).toEqual([
    200,
    'w-.09AOPZ_aopz',
  ])
  for (const path of ['/~w', '/~w/']) expect(await worlds(path)).toEqual([404, 'w'])
  for (const path of ['/~', '/~/plants']) expect((await worlds(path)).slice(1)).toEqual([])
  expect(await worlds('/plants/~w')).toEqual([404])
  expect(await worlds('/plants%2F1')).toEqual([404])
})

testApi('a key follows Bearer, in any case, and may name its world', async ({ call }) => {
  const statusOf = async (authorization: string) =>
    (await call('GET', '/plants', { key: null, headers: { authorization } })).status
  const sound = ['Bearer key_pro', 'bearer  key_pro ', 'BEARER key_pro']
  for (const sent of sound) expect([sent, await statusOf(sent)]).toEqual([sent, 200])
  for (const sent of ['Bearer ', 'Bearer', 'Basic key_pro', 'x Bearer key_pro', 'key_pro'])
    expect([sent, await statusOf(sent)]).toEqual([sent, 401])
})

test('the text behind the last @ of a key is its world, if a world can have that name', async () => {
  const { greenhouse, call } = open()
  const worldOf = async (key: string) => {
    await call('GET', '/plants', { key })
    const found = greenhouse.worlds().filter((name) => name !== 'default')
    for (const name of found) greenhouse.deleteWorld(name)
    return found[0]
  }
  const long = 'x'.repeat(64)
  for (const [sent, world] of [
    ['k@w', 'w'],
    ['a@b@c', 'c'],
    [`k@${long}`, long],
    ['k@A.b_9-', 'A.b_9-'],
    ...['k', '@w', 'k@', 'k@a b', `k@${long}x`].map((other) => [other, undefined] as const),
  ] as const)
    expect([sent, await worldOf(sent)]).toEqual([sent, world])
  expect(greenhouse.world().key('key_pro')).toBe('key_pro')
  expect(greenhouse.world('w').key('key_pro')).toBe('key_pro@w')
})

test('a header that comes twice has both values', async () => {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  await ask(server.port, 'GET /plants', [key, 'X-Two: 1', 'x-two: 2'])
  expect(greenhouse.world().journal.calls()[0]!.request.headers['x-two']).toBe('1, 2')
})
