import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { openSocket, drain } from '../support/socket.ts'

const msw = pathToFileURL(resolve('node_modules/msw/lib/core/index.mjs')).href

const module = `
import { http, HttpResponse, passthrough, bypass } from '${msw}'
export const handlers = [
  http.get('/plants/1', () => HttpResponse.json({ name: 'Mine' }, { status: 203, headers: [['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2']] })),
  http.get('/plants/2', () => HttpResponse.error()),
  http.get('/plants/3', () => { throw new Error('oh no') }),
  http.get('/plants/4', () => new HttpResponse(new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('one ')); setTimeout(() => { c.enqueue(new TextEncoder().encode('two')); c.close() }, 30) } }))),
  http.post('/plants', async ({ request }) => (await request.text()).includes('Ficus') ? passthrough() : HttpResponse.error()),
  http.get('/v1/apps', async ({ request }) => HttpResponse.json({ patched: (await (await fetch(bypass(request))).json()).data.length > 0 })),
  http.all('/__greenhouse/*', () => HttpResponse.text('taken')),
]`

test('own handlers answer first, everything else goes to Greenhouse', async () => {
  const { call, ready, output, stop } = await startServe([
    '--handlers',
    join(writeFolder({ 'own.mjs': module }), 'own.mjs'),
  ])
  const mine = await call('/plants/1')
  expect([mine.status, mine.headers.getSetCookie(), await mine.json()]).toEqual([203, ['a=1', 'b=2'], { name: 'Mine' }])
  expect((await call('/~other/plants/1')).status).toBe(203)
  await expect(call('/plants/2')).rejects.toThrow()
  const failed = await call('/plants/3')
  expect([failed.status, await failed.json()]).toEqual([
    500,
    { error: { code: 'handler_failed', message: expect.stringContaining('oh no') } },
  ])
  expect(output.stderr).toContain('oh no')
  expect(await (await call('/plants/4')).text()).toBe('one two')
  expect((await call('/plants', { method: 'POST', body: JSON.stringify({ id: 5_000, name: 'Ficus' }) })).status).toBe(
    200,
  )
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
    'node_modules/msw/index.js': `module.exports = Object.assign({}, require('${resolve('node_modules/msw')}'))`,
  })
  const { call, stop } = await startServe(['--handlers', join(folder, 'own.cjs')])
  expect(await (await call('/plants/1')).text()).toBe('mine')
  await stop()
})

test('a file without handlers is an error that says so', async () => {
  const folder = writeFolder({ 'none.mjs': 'export const other = []' })
  writeFileSync(join(folder, 'odd.mjs'), 'export default [1]')
  for (const [file, message] of [
    ['none.mjs', 'it must export an array'],
    ['odd.mjs', 'item 0 is not an MSW handler'],
    ['gone.mjs', 'Failed to load the handlers of'],
  ] as const) {
    const { code, stderr } = await run(['serve', '--port', '0', '--handlers', join(folder, file)])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  }
})
