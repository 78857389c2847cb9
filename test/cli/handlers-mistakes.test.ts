import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { startCommand, startServeProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const msw = pathToFileURL(resolve('node_modules/msw/lib/core/index.mjs')).href

/** Mistakes of a resolver before it has replied, by the reason that is reported. */
const mistakes: Record<string, [code: string, reason: RegExp]> = {
  'a plain object': ['return { name: "Mine" }', /returned an object, not a Response/],
  'a string': ['return "Mine"', /non-object|returned a string/],
  'a function': ['return () => 1', /returned a function/],
  'a revoked proxy': ['const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy', /revoked/],
  'an object whose getters throw': [
    'return new Proxy(new Response("x"), { get() { throw new Error("no such property") } })',
    /no such property/,
  ],
  'throws an error': ['throw new Error("oh no")', /oh no/],
  'throws an object without a prototype': ['throw Object.create(null)', /a value that cannot be converted to a string/],
  'throws undefined': ['throw undefined', /undefined/],
  'throws a symbol': ['throw Symbol("lost")', /Symbol\(lost\)/],
  'throws a revoked proxy': [
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy',
    /revoked|no text/,
  ],
  'throws an error that cannot be read': [
    'throw Object.defineProperty(new Error(), "message", { get() { throw new Error("again") } })',
    /a value that cannot be converted to a string/,
  ],
  'throws an error that cannot be printed': [
    'throw Object.assign(new Error("shy"), { [Symbol.for("nodejs.util.inspect.custom")]() { throw new Error("again") } })',
    /shy/,
  ],
  'a used body': ['const used = new Response("x"); await used.text(); return used', /was already read/],
  'a locked body': ['const locked = new Response("x"); locked.body.getReader(); return locked', /was already read/],
  'a status out of range': ['return new Response(null, { status: 1_000 })', /status/i],
  'a status that is no reply': ['return new HttpResponse(null, { status: 101 })', /status 101/],
  'a header that Node refuses': ['return new Response("x", { headers: { "X-Odd": "a\\x01b" } })', /X-Odd/i],
  'a status text that Node refuses': [
    'return Object.defineProperty(new Response("x"), "statusText", { value: "a\\nb" })',
    /statusMessage|status/i,
  ],
  'a body that fails at once': [
    'return new Response(new ReadableStream({ pull() { throw new Error("dry") } }))',
    /dry/,
  ],
}

const module = `
import { http, HttpResponse } from '${msw}'
const later = () => new Promise((resolve) => setImmediate(resolve))
const chunk = (text) => new TextEncoder().encode(text)
export const handlers = [
${Object.values(mistakes)
  .map(([code], index) => `  http.get('/plants/${index}', async () => { ${code} }),`)
  .join('\n')}
  http.get('/plants/yields', function* () { yield HttpResponse.text('first'); return { name: 'Mine' } }),
  http.get('/plants/breaks-off', () => new Response(new ReadableStream({ async start(c) { c.enqueue(chunk('one ')); await later(); await later(); c.error(new Error('the stream broke')) } }))),
  http.get('/plants/odd-chunk', () => new Response(new ReadableStream({ async start(c) { c.enqueue(chunk('one ')); await later(); await later(); c.enqueue({ a: 1 }); c.close() } }))),
  http.get('/plants/rejects-late', () => { later().then(() => { throw new Error('nobody waited') }); return HttpResponse.text('fine') }),
  http.get('/plants/throws-late', () => { setImmediate(() => { throw Object.create(null) }); return HttpResponse.text('fine') }),
  http.get('/plants/escapes', ({ request }) => { throw new Error(decodeURIComponent(new URL(request.url).search)) }),
  http.get('/plants/good', () => HttpResponse.text('good')),
]`

test('whatever a handler does wrong is a 500 that says why, and the server stays', async () => {
  const { call, output, stop } = await startServe(['--handlers', join(writeFolder({ 'own.mjs': module }), 'own.mjs')])
  for (const [index, [name, [, reason]]] of Object.entries(mistakes).entries()) {
    const reply = await call(`/plants/${index}`)
    expect([name, reply.status, reply.headers.get('content-type'), await reply.json()]).toEqual([
      name,
      500,
      'application/json',
      { error: { code: 'handler_failed', message: expect.stringMatching(reason) } },
    ])
    await expect.poll(() => output.stderr).toContain(`own.mjs failed to answer GET /plants/${index}`)
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

  const escaping = await call('/plants/escapes?%1B]0;owned%07')
  expect(escaping.status).toBe(500)
  await expect.poll(() => output.stderr).toContain('\\x1b]0;owned\\x07')
  // eslint-disable-next-line no-control-regex
  expect(output.stderr).not.toMatch(/[\x1b\x07]/)

  expect(await (await call('/plants/good')).text()).toBe('good')
  expect((await stop()).code).toBe(0)
})

test('what a handler leaves behind ends neither serve nor run', async () => {
  const file = join(writeFolder({ 'own.mjs': module }), 'own.mjs')
  const { call, output, stop } = await startServeProcess(['--handlers', file])
  for (const path of ['rejects-late', 'throws-late']) expect(await (await call(`/plants/${path}`)).text()).toBe('fine')
  await expect
    .poll(() => output.stderr.match(/An uncaught error, most likely in a handler of \S+own\.mjs/g)?.length)
    .toBe(2)
  expect(output.stderr).toContain('nobody waited')
  expect(await (await call('/plants/good')).text()).toBe('good')
  expect((await stop()).code).toBe(0)

  const script = `fetch(process.env.PLANTS_BASE_URL + '/plants/rejects-late').then((r) => r.text()).then(() => fetch(process.env.PLANTS_BASE_URL + '/plants/good')).then((r) => r.text()).then((t) => process.exit(t === 'good' ? 7 : 1))`
  const ran = await startCommand(['run', '--handlers', file, '--', process.execPath, '-e', script]).ended
  expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining('nobody waited')])
})
