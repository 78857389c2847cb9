import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createPanelFiles } from '../../src/control/http/answer-request.ts'
import { sendFailure } from '../../src/control/http/send.ts'
import { writeFolder } from '../support/folder.ts'
import { answerUntilEnd } from '../support/listen.ts'

const page =
  '<!doctype html><title>Panel</title><script type="module" src="panel/panel.js"></script>'

/** Serves the panel of a folder, and gives what asks for its files. */
async function open(folder: string) {
  const send = createPanelFiles(async () => pathToFileURL(folder + '/'))
  const url = await answerUntilEnd((request, response) => {
    send(request, response).catch((error: unknown) => sendFailure(response, error, (text) => text))
  })
  return (path: string, init?: RequestInit) =>
    fetch(`${url}/__greenhouse${path}`, { redirect: 'manual', ...init })
}

const statusAnd = ({ status, headers }: Response, ...names: string[]) => [
  status,
  ...names.map((name) => headers.get(name)),
]

test('the page is not cached, and its policy allows only this server', async () => {
  const ask = await open(writeFolder({ 'index.html': page, 'panel.js': 'start()' }))
  const reply = await ask('/')
  expect(await reply.text()).toBe(page)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  const head = await ask('/', { method: 'HEAD' })
  expect([...statusAnd(head, 'content-length'), await head.text()]).toEqual([
    200,
    String(page.length),
    '',
  ])
  const to = await ask('')
  expect(statusAnd(to, 'location', 'cache-control')).toEqual([303, '/__greenhouse/', 'no-store'])
})

test('a file is revalidated on each request', async () => {
  const ask = await open(writeFolder({ 'index.html': page, 'panel.js': 'start()' }))
  const script = await ask('/panel/panel.js?v=1')
  const type = 'text/javascript; charset=utf-8'
  expect(statusAnd(script, 'content-type', 'cache-control')).toEqual([200, type, 'no-cache'])
  const etag = script.headers.get('etag')!
  const again = await ask('/panel/panel.js', { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await ask('/panel/panel.js', { headers: { 'if-none-match': '"other"' } })).status).toBe(
    200,
  )
})

test('nothing outside of the folder is there', async () => {
  const folder = writeFolder({ 'panel/index.html': page, 'secret.js': 'secret' })
  const ask = await open(join(folder, 'panel'))
  expect((await ask('/')).status).toBe(200)
  const absent =
    '..%2fsecret.js %2e%2e/secret.js /index.html index.html%00 Index.html constructor nope.js'
  for (const path of ['', ...absent.split(' ')]) {
    const reply = await ask(`/panel/${path}`)
    expect([path, reply.status]).toEqual([path, 404])
    expect(await reply.text()).not.toContain('secret\n')
  }
})

test('unreadable panel files are reported, and read again', async () => {
  const folder = writeFolder({ 'index.html': page })
  rmSync(folder, { recursive: true })
  const ask = await open(folder)
  const reply = await ask('/')
  expect(reply.status).toBe(503)
  expect((await reply.json()).error.message).toMatch(
    /^The files of the panel could not be read \(ENOENT\)/,
  )
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), page)
  expect((await ask('/')).status).toBe(200)
})
