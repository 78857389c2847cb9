import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { lacks } from '../support/lacks.ts'
import { startCommand, startServeProcess } from '../support/process.ts'
import { drain, openSocket } from '../support/socket.ts'
import { expectWrongUse } from './server.ts'

function writeHandlers(handlers: string): string {
  const text = `import { http, HttpResponse, passthrough, bypass } from '${import.meta.resolve('msw')}'
    const later = () => new Promise((resolve) => setImmediate(resolve))
    const chunk = (text) => new TextEncoder().encode(text)
    const stream = (then) => new Response(new ReadableStream({
      async start(c) { c.enqueue(chunk('one ')); await later(); await later(); then(c) },
    }))
    export const handlers = [${handlers}]`
  return join(writeFolder({ 'own.mjs': text }), 'own.mjs')
}

const good = `
  http.get('/plants/1', () =>
    HttpResponse.json({ name: 'Mine' }, { status: 203, headers: [['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2']] })),
  http.get('/plants/2', () => HttpResponse.error()),
  http.get('/plants/4', () => stream((c) => { c.enqueue(chunk('two')); c.close() })),
  http.post('/plants', async ({ request }) =>
    (await request.text()).includes('Ficus') ? passthrough() : HttpResponse.error()),
  http.get('/v1/apps', async ({ request }) =>
    HttpResponse.json({ patched: (await (await fetch(bypass(request))).json()).data.length > 0 })),
  http.all('/__greenhouse/*', () => HttpResponse.text('taken')),`

test('own handlers answer first, everything else goes to Greenhouse', async () => {
  const { call, ready, stop } = await startServe(['--handlers', writeHandlers(good)])
  const mine = await call('/plants/1')
  expect([mine.status, mine.headers.getSetCookie(), await mine.json()]).toEqual([
    203,
    ['a=1', 'b=2'],
    { name: 'Mine' },
  ])
  expect((await call('/~other/plants/1')).status).toBe(203)
  await expect(call('/plants/2')).rejects.toThrow()
  expect(await (await call('/plants/4')).text()).toBe('one two')
  const ficus = JSON.stringify({ id: 5_000, name: 'Ficus' })
  expect((await call('/plants', { method: 'POST', body: ficus })).status).toBe(200)
  expect(await (await call('/v1/apps')).json()).toEqual({ patched: true })
  expect((await call('/plants')).status).toBe(200)
  expect(await (await call('/__greenhouse/health')).json()).toMatchObject({ status: 'ok' })
  for (const beginning of [
    'TRACE /plants/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET /plants/1 HTTP/1.1\r\nHost: a b\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  ]) {
    const socket = await openSocket(Number(new URL(ready.plants_url).port))
    socket.write(beginning)
    expect(await drain(socket)).toMatch(/^HTTP\/1\.1 4/)
  }
  expect((await call('/plants/1')).status).toBe(203)
  expect((await stop()).code).toBe(0)
})

test('CommonJS whose exports Node cannot detect statically (as under Yarn PnP) is read as usual', async () => {
  const folder = writeFolder({
    'own.cjs':
      "const { http, HttpResponse } = require('msw')\n" +
      "module.exports = Object.assign({}, { handlers: [http.get('/plants/1', () => HttpResponse.text('mine'))] })",
    'node_modules/msw/package.json': '{ "version": "2.11.0" }',
    'node_modules/msw/index.js': `module.exports = Object.assign({}, require(${JSON.stringify(resolve('node_modules/msw'))}))`,
  })
  const { call } = await startServe(['--handlers', join(folder, 'own.cjs')])
  expect(await (await call('/plants/1')).text()).toBe('mine')
})

const rejectedFiles: [file: string, message: string][] = [
  ['none.mjs', 'it must export an array'],
  ['odd.mjs', 'item 0 is not an MSW handler'],
]
// Vite loads the modules for tests of the source, and names this one in words of its own.
if (process.env['TEST_TARGET'] !== 'src')
  rejectedFiles.push(['gone.mjs', 'Failed to load the handlers of'])

test.each(rejectedFiles)(
  'a file without handlers is an error that says so: %s',
  async (file, message) => {
    const folder = writeFolder({
      'none.mjs': 'export const other = []',
      'odd.mjs': 'export default [1]',
    })
    await expectWrongUse(['serve', '--port', '0', '--handlers', join(folder, file)], message)
  },
)

/** What a resolver does wrong before it has replied, and the reason that is reported. */
const mistakes: [code: string, reason: RegExp][] = [
  ['return { name: "Mine" }', /returned an object, not a Response/],
  ['return "Mine"', /non-object|returned a string/],
  ['return () => 1', /returned a function/],
  ['const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy', /revoked/],
  [
    'return new Proxy(new Response("x"), { get() { throw new Error("no such property") } })',
    /no such property/,
  ],
  ['throw new Error("oh no")', /oh no/],
  ['throw Object.create(null)', /a value that cannot be converted to a string/],
  ['throw undefined', /undefined/],
  ['throw Symbol("lost")', /Symbol\(lost\)/],
  ['const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy', /revoked|no text/],
  [
    'throw Object.defineProperty(new Error(), "message", { get() { throw 1 } })',
    /a value that cannot be converted/,
  ],
  [
    'throw Object.assign(new Error("shy"), { [Symbol.for("nodejs.util.inspect.custom")]() { throw new Error("again") } })',
    /shy/,
  ],
  ['const used = new Response("x"); await used.text(); return used', /was already read/],
  ['const locked = new Response("x"); locked.body.getReader(); return locked', /was already read/],
  ['return new Response(null, { status: 1_000 })', /status/i],
  ['return new HttpResponse(null, { status: 101 })', /status 101/],
  ['return new Response("x", { headers: { "X-Odd": "a\\x01b" } })', /X-Odd/i],
  [
    'return Object.defineProperty(new Response("x"), "statusText", { value: "a\\nb" })',
    /statusMessage|status/i,
  ],
  [
    'return new Response(new ReadableStream({ pull() { throw new Error("dry") } }), { headers: { "X-Mine": "a" } })',
    /dry/,
  ],
]

const broken = `
  ${mistakes.map(([code], index) => `http.get('/plants/${index}', async () => { ${code} }),`).join('\n  ')}
  http.get('/plants/yields', function* () { yield HttpResponse.text('first'); return { name: 'Mine' } }),
  http.get('/plants/breaks-off', () => stream((c) => c.error(new Error('the stream broke')))),
  http.get('/plants/odd-chunk', () => stream((c) => { c.enqueue({ a: 1 }); c.close() })),
  http.get('/plants/rejects-late', () => {
    later().then(() => { throw new Error('nobody waited') })
    return HttpResponse.text('fine')
  }),
  http.get('/plants/throws-late', () => {
    setImmediate(() => { throw Object.create(null) })
    return HttpResponse.text('fine')
  }),
  http.get('/plants/escapes', ({ request }) => { throw new Error(decodeURIComponent(new URL(request.url).search)) }),
  http.get('/plants/good', () => HttpResponse.text('good')),`

test('a mistake in a handler is a 500 with its reason, and the server stays', async () => {
  const { call, output, stop } = await startServe(['--handlers', writeHandlers(broken)])
  for (const [index, [code, reason]] of mistakes.entries()) {
    const reply = await call(`/plants/${index}`)
    expect(reply.headers.get('x-mine'), code).toBeNull()
    expect([code, reply.status, reply.headers.get('content-type'), await reply.json()]).toEqual([
      code,
      500,
      'application/json',
      { error: { code: 'handler_failed', message: expect.stringMatching(reason) } },
    ])
    await expect
      .poll(() => output.stderr)
      .toContain(`own.mjs failed to answer GET /plants/${index}`)
  }
  expect(await (await call('/plants/yields')).text()).toBe('first')
  expect((await call('/plants/yields')).status).toBe(500)

  for (const path of ['breaks-off', 'odd-chunk']) {
    const reply = await call(`/plants/${path}`)
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow()
    await expect.poll(() => output.stderr).toContain(`failed to answer GET /plants/${path}`)
  }
  expect(output.stderr).toContain('the stream broke')

  expect((await call('/plants/escapes?%1B]0;owned%07')).status).toBe(500)
  await expect.poll(() => output.stderr).toContain('\\x1b]0;owned\\x07')
  // eslint-disable-next-line no-control-regex
  expect(output.stderr).not.toMatch(/[\x1b\x07]/)

  expect(await (await call('/plants/good')).text()).toBe('good')
  expect((await stop()).code).toBe(0)
})

test('timers and rejections of a handler end neither serve nor run', async () => {
  const file = writeHandlers(broken)
  const { call, output, stop } = await startServeProcess(['--handlers', file])
  for (const path of ['rejects-late', 'throws-late'])
    expect(await (await call(`/plants/${path}`)).text()).toBe('fine')
  await expect
    .poll(
      () =>
        output.stderr.match(/An uncaught error, most likely in a handler of \S+own\.mjs/g)?.length,
    )
    .toBe(2)
  expect(output.stderr).toContain('nobody waited')
  expect(await (await call('/plants/good')).text()).toBe('good')
  // Where there are signals it stops as ever.
  expect((await stop()).code).toBe(lacks.signals ? null : 0)

  const script = `const get = (path) => fetch(process.env.PLANTS_BASE_URL + path).then((reply) => reply.text())
    get('/plants/rejects-late').then(() => get('/plants/good')).then((text) => process.exit(text === 'good' ? 7 : 1))`
  const ran = await startCommand(['run', '--handlers', file, '--', process.execPath, '-e', script])
    .ended
  expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining('nobody waited')])
})
