import { once } from 'node:events'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { loadHandlers } from '../../src/adapters/own-handlers.ts'
import { serve, type RunningServer } from '../../src/adapters/server.ts'
import { logRequests } from '../../src/cli/output/request-log.ts'
import { markSent } from '../../src/core/http/reply.ts'
import { createGreenhouse, type Greenhouse } from '../../src/index.ts'
import { start } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { expectOutput } from '../support/output.ts'
import { startQuietServe } from '../support/process.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { hostile, unsafe, parseLines, runScript } from './server.ts'

/**
 * Runs `greenhouse-mock serve`, requests these paths with key_pro, stops it and returns the lines
 * after the start.
 */
async function logOf(args: string[], ...paths: string[]): Promise<string[]> {
  const { output, kill, ended, untilPrinted } = start(['serve', '--port', '0', ...args])
  const [, url] = await untilPrinted(/(http:\/\/[^/"\s]+)[^]*(\/apps|\})\n/)
  const began = output.stdout.length
  for (const path of paths)
    await fetch(url + path, { headers: { authorization: 'Bearer key_pro' } })
  kill('SIGTERM')
  return (await ended).stdout.slice(began).split('\n').slice(0, -1)
}

test('--log pretty prints a line for every request', async () => {
  const lines = await logOf(
    ['--now', '2026-03-01T12:00:30Z', '--scenario', 'malformed-plant'],
    '/plants?limit=3',
    '/v1/apps/none',
    '/~checkout/v1/apps',
    '/plant',
    '/v1/apps?limt=3&limt=4',
  )
  expect(lines).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d GET {4}200 +\d[\d.]* m?s +\d+ B \/plants\?limit=3 +plants\.list +scenario=malformed-plant scenario malformed-plant made \/0\/name wrong/,
    ),
    expect.stringMatching(
      /^\d\d:\d\d:\d\d GET {4}404 +\d[\d.]* m?s +\d+ B \/v1\/apps\/none +apps\.get +"none" is not among the apps of acct_pro$/,
    ),
    expect.stringMatching(
      /^\d\d:\d\d:\d\d GET {4}200 +\d[\d.]* m?s +[\d.]+ kB \/~checkout\/v1\/apps +apps\.list$/,
    ),
    expect.stringMatching(/404 .*There is no path \/plant\. Did you mean GET, POST \/plants/),
    expect.stringMatching(
      /\/v1\/apps\?limt=3&limt=4 +apps\.list +violation=unknown-query,repeated-query$/,
    ),
  ])
})

test('--log json prints an object for every request, without bodies', async () => {
  const [listed, missed] = (await logOf(['--log', 'json'], '/plants?limit=3', '/plant')).map(
    (line) => JSON.parse(line),
  )
  expect(listed).toEqual({
    event: 'request',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    id: 1,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    operation: 'plants.list',
    world: 'default',
    account: 'acct_pro',
    request: { method: 'GET', url: '/plants?limit=3' },
    response: { status: 200 },
    bytes: expect.any(Number),
    scenarios: [],
    assumptions: expect.any(Array),
    ms: expect.any(Number),
  })
  expect(missed).toMatchObject({ response: { status: 404 } })
  expect(missed.near_misses[0]).toMatchObject({
    operation: 'plants.list',
    method: 'GET',
    path: '/plants',
  })
})

test('with --log silent nothing is printed', async () => {
  const { ended, url, stop } = await startQuietServe(['--log', 'silent'])
  expect((await fetch(`${url}/plants`)).status).toBe(401)
  stop()
  expect(await ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
})

test('run prints requests only when asked, apart from the output of the command', async () => {
  const { stdout, stderr } = await runScript(`await ask('/plants'); console.log('done')`, [
    '--log',
    'json',
  ])
  expect(stdout).toBe('done\n')
  expect(JSON.parse(stderr)).toMatchObject({ event: 'request', response: { status: 200 } })
})

test('a reader that does not read holds nothing up, and does not keep the server', async () => {
  const { child, ended, url, stop } = await startQuietServe(['--log', 'json'])
  child.stdout!.pause()
  for (let round = 0; round < 10; round++)
    await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${url}/plants?tag=${'x'.repeat(8_000)}`)),
    )
  expect((await fetch(`${url}/plants`)).status).toBe(401)
  const exited = once(child, 'exit')
  stop()
  expect((await exited)[0]).toBe(0)
  child.stdout!.resume()
  await ended
})

/**
 * Logs what a Greenhouse does in both forms; the function that is returned ends it and returns the
 * output.
 */
function logBoth(greenhouse: Greenhouse, env: Record<string, string> = {}, isTTY = false) {
  const texts = { pretty: '', json: '' }
  const ends = (['pretty', 'json'] as const).map((format) => {
    const stream = {
      isTTY,
      writableLength: 0,
      write: (text: string | Buffer) => (texts[format] += String(text)),
    }
    return logRequests(greenhouse, format, stream as never, env)
  })
  return () => {
    for (const end of ends) end()
    return { pretty: texts.pretty, json: parseLines(texts.json), text: texts.pretty + texts.json }
  }
}

test.each([
  [true, true, {}],
  [false, false, {}],
  [false, true, { NO_COLOR: '1' }],
  [true, true, { NO_COLOR: '' }],
  [false, true, { TERM: 'dumb' }],
  [true, false, { FORCE_COLOR: '1' }],
  [true, false, { FORCE_COLOR: '', NO_COLOR: '1' }],
  [false, true, { FORCE_COLOR: '0' }],
])(
  'that the log has colours is %j where it is a terminal: %j, with the variables %j',
  async (expected, isTTY, env) => {
    const greenhouse = createGreenhouse()
    const read = logBoth(greenhouse, env, isTTY)
    await greenhouse.fetch(new Request('http://x/plants'))
    const { pretty } = read()
    expect(pretty).toContain('401')
    expect(pretty.includes('\x1b[')).toBe(expected)
  },
)

test("the log has the machine's times, which no world's clock moves", async () => {
  const greenhouse = createGreenhouse({ now: '2040-01-01T00:00:00Z' })
  const read = logBoth(greenhouse)
  const before = Date.now()
  await greenhouse.fetch(new Request('http://x/plants'))
  greenhouse.world().clock.set('2030-01-01T00:00:00Z')
  await greenhouse.fetch(new Request('http://x/plants'))
  const { json } = read()
  expect(json.map(({ at }) => at.slice(0, 4))).toEqual(['2040', '2030'])
  for (const { time } of json) expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
})

test('requests print no characters that a terminal acts on, in both forms of the log', async () => {
  const greenhouse = createGreenhouse()
  const read = logBoth(greenhouse)
  // Node's parser rejects such a URL; a host that has another may not.
  markSent(
    await greenhouse.handle({
      method: 'GET',
      path: `/plants/${hostile}\n`,
      search: hostile,
      headers: {},
      body: null,
    }),
  )
  const { pretty, json, text } = read()
  expect(text).not.toMatch(unsafe)
  expect(pretty.split('\n')).toEqual([
    expect.stringContaining(' /plants/\\x1b[2J\\x1b]0;title\\x07\\x9b31m\\u202e'),
    '',
  ])
  expect(json).toMatchObject([{ request: { url: `/plants/${hostile}\n?${hostile}` } }])
})

test('a line of any length is written whole, as are lines that follow it immediately', async () => {
  const greenhouse = createGreenhouse()
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  const end = logRequests(greenhouse, 'json', stream, {})
  const ask = (path: string) =>
    greenhouse.fetch(new Request(`http://any${path}`)).then((reply) => reply.text())
  const lengths = [10, 14_000, 21_000, 22_000, 30_000, 66_000, 10]
  for (const length of lengths) {
    await ask(`/plants?${'é'.repeat(10)}${'a'.repeat(length)}`)
    await ask(`/plants?after=${length}`)
  }
  end()
  const urls = parseLines(text).map(({ request }) => request.url as string)
  expect(urls.filter((url) => url.startsWith('/plants?after='))).toEqual(
    lengths.map((length) => `/plants?after=${length}`),
  )
  expect(urls).toHaveLength(14)
})

interface Logged {
  greenhouse: Greenhouse
  server: RunningServer
  read: ReturnType<typeof logBoth>
}

async function logged(run: (logged: Logged) => Promise<void>, handlers?: string) {
  const greenhouse = createGreenhouse()
  const read = logBoth(greenhouse)
  const first = handlers && {
    first: await loadHandlers(handlers, (text) => process.stderr.write(text)),
  }
  await using server = await serve(greenhouse, first || {})
  await run({ greenhouse, server, read })
}

test('an unknown scenario or invalid world name is logged with the suggestion the client got', () =>
  logged(async ({ server, read }) => {
    await fetch(`${server.url}/plants?token=sk_live_123456`, {
      headers: { 'x-greenhouse-scenario': 'slwo' },
    })
    await fetch(`${server.url}/plants`, { headers: { 'x-greenhouse-world': 'no world' } })
    const { pretty, json } = read()
    expect(pretty).toMatch(
      /GET {4}400 .*\/plants\?token=fp_[\da-f]{12} +\(refused\) +Failed to use the scenario "slwo".*Did you mean "slow"\?\n/,
    )
    expect(json).toEqual([
      {
        event: 'refused',
        time: expect.stringMatching(/Z$/),
        request: { method: 'GET', url: expect.stringMatching(/^\/plants\?token=fp_/) },
        response: { status: 400 },
        reason: expect.stringContaining('slow'),
      },
      expect.objectContaining({ event: 'refused', reason: expect.stringContaining('no world') }),
    ])
  }))

test('rejected pages of other sites are logged with the flag that allows them', () =>
  logged(async ({ server, read }) => {
    const origin = 'https://shop.example'
    const preflight = { origin, 'access-control-request-method': 'GET' }
    await fetch(`${server.url}/plants`, { headers: { origin } })
    await fetch(`${server.url}/plants`, { method: 'OPTIONS', headers: preflight })
    await fetch(`${server.url}/__greenhouse/worlds`, { headers: { origin } })
    const { pretty, json } = read()
    const blocked = expect.stringMatching(
      /origin "https:.*--cors https:\/\/shop\.example.*cookies.*private network/,
    )
    expect(pretty.match(/shop\.example/g)!.length).toBeGreaterThanOrEqual(3)
    expect(
      json.map(({ event, request, response, reason }) => [
        event,
        request.url,
        response.status,
        reason,
      ]),
    ).toEqual([
      ['refused', '/plants', 403, blocked],
      ['refused', '/plants', 403, blocked],
      ['refused', '/__greenhouse/worlds', 403, expect.stringContaining('origin')],
    ])
  }))

test('answers of custom handlers are logged, with the reason when one fails', async () => {
  const module = `import { http, HttpResponse } from '${import.meta.resolve('msw')}'
    export const handlers = [
      http.get('/plants/1', () => HttpResponse.json({}, { status: 203 })),
      http.get('/plants/2', () => { throw new Error('oh no') }),
      http.get('/plants/3', () => HttpResponse.error()),
    ]`
  await logged(
    async ({ server, read }) => {
      for (const id of [1, 2]) await (await fetch(`${server.url}/plants/${id}`)).text()
      await expect(fetch(`${server.url}/plants/3`)).rejects.toThrow()
      const { pretty, json } = read()
      expect(pretty).toMatch(
        /203 .*\/plants\/1 +\(your handler\)\n.*500 .*\/plants\/2 +\(your handler\) .*oh no\n.*--- .*\/plants\/3 +\(your handler\) +aborted\n/,
      )
      const handled = { event: 'handled', time: expect.any(String), ms: expect.any(Number) }
      expect(json).toEqual([
        { ...handled, request: { method: 'GET', url: '/plants/1' }, response: { status: 203 } },
        expect.objectContaining({
          ...handled,
          response: { status: 500 },
          reason: expect.stringContaining('oh no'),
        }),
        expect.objectContaining({ ...handled, response: { status: 0 }, aborted: true }),
      ])
      expectOutput(/oh no/)
    },
    join(writeFolder({ 'own.mjs': module }), 'own.mjs'),
  )
})

test('delivery attempts are logged with host, event, result, duration and next attempt', async () => {
  const receiver = await startReceiver((_, place) => (place === 0 ? 500 : 200))
  const { host } = new URL(receiver.url)
  await logged(async ({ greenhouse, server, read }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    const headers = { authorization: 'Bearer key_lite', 'content-type': 'application/json' }
    const create = async (path: string, body: object) => {
      const reply = await fetch(`${server.url}/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return (await reply.json()) as { id: string }
    }
    const hook = await create('/webhooks', {
      url: `${receiver.url}?secret=sk_live_123456`,
      events: ['app.created'],
    })
    await create('/apps', { name: 'x' })
    await world.settled()
    world.clock.advance('10s')
    await world.settled()
    const { pretty, json, text } = read()
    expect(json.filter(({ event }) => event === 'delivery')).toEqual([
      {
        event: 'delivery',
        time: expect.any(String),
        at: expect.any(String),
        world: 'default',
        webhook: hook.id,
        delivery: expect.stringMatching(/^del_/),
        type: 'app.created',
        host,
        attempt: 1,
        status: 500,
        error: null,
        ms: expect.any(Number),
        next_attempt_at: expect.any(String),
      },
      expect.objectContaining({ attempt: 2, status: 200, next_attempt_at: null }),
    ])
    expect(pretty).toMatch(
      new RegExp(`HOOK {3}500 .*${host} +app\\.created +attempt 1, next in 5 s\\n`),
    )
    expect(text).not.toContain('sk_live')
  })
})
