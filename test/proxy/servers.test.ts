import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import express from 'express'
import { expect, test } from 'vitest'
import { whyNot } from '../scale-out/proxied.ts'
import { writeFolder } from '../support/folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { expectSame, inFrontOf, standInFront } from './in-front.ts'
import { startNginx } from './nginx.ts'

test('an Express app: nothing is lost, and nothing hangs', async () => {
  const folder = writeFolder({})
  const file = join(folder, 'large.json')
  writeFileSync(
    file,
    JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Plant ${id}` }))),
  )
  const app = express()
  app.get('/plants', (_, response) => response.json([{ id: 1, name: 'Ficus' }]))
  app.post('/plants', express.json(), (request, response) =>
    response.status(201).json(request.body),
  )
  app.get('/files', (_, response) => response.sendFile(file))
  app.get('/zipped', (_, response) => {
    response.setHeader('Content-Encoding', 'gzip').type('json')
    pipeline(createReadStream(file), createGzip(), response, () => undefined)
  })
  app.get('/moved', (_, response) => response.redirect('/plants'))
  const { send, target } = await inFrontOf(app)
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":2,"name":"Aloe"}',
  }
  const etag = (await send('/plants')).headers.get('etag')!
  const asked: [string, RequestInit?][] = [
    ['/plants'],
    ['/plants', { headers: { 'if-none-match': etag } }],
    ['/plants', { method: 'HEAD' }],
    ['/plants', { method: 'OPTIONS' }],
    ['/plants', post],
    ['/files'],
    ['/files', { headers: { range: 'bytes=10-19' } }],
    ['/zipped'],
    ['/moved', { redirect: 'manual' }],
    ['/nothing'],
  ]
  await expectSame(asked, send, target)
})

const reason = whyNot('nginx')

test.skipIf(reason !== undefined)(
  `nginx: nothing is lost, and nothing hangs${reason ?? ''}`,
  async () => {
    const port = await findFreePort()
    const large = JSON.stringify(
      Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Plant ${id}` })),
    )
    const target = await startNginx(
      port,
      `root .;
    location /v1/moved { return 308 /v1/large.json?a=%2F; }
    location /v1/limited { add_header Set-Cookie a=1 always; add_header Set-Cookie b=2 always; return 429 "slow down"; }
    location /v1/empty { return 204; }
    location /v1/gone { return 444; }`,
      { 'v1/large.json': large, plants: '[]' },
    )
    const { send, world } = await standInFront({ plants: target, apps: `${target}/v1` })
    const etag = (await send('/v1/large.json')).headers.get('etag')!
    const asked: [string, RequestInit?][] = [
      ['/plants'],
      ['/v1/large.json'],
      ['/v1/large.json', { headers: { 'accept-encoding': 'identity' } }],
      ['/v1/large.json', { method: 'HEAD' }],
      ['/v1/large.json', { headers: { 'if-none-match': etag } }],
      ['/v1/large.json', { headers: { range: 'bytes=10-19,30-39' } }],
      ['/v1/moved', { redirect: 'manual' }],
      ['/v1/limited'],
      ['/v1/empty'],
      ['/v1/large.json', { method: 'POST', body: 'x'.repeat(100_000) }],
      ['/v1/%2e%2e/nothing'],
    ]
    await expectSame(asked, send, target)
    expect((await send('/v1/gone')).status).toBe(502)
    expect(world.journal.calls({ limit: 1 })[0]!.reason).toContain(
      'closed the connection without a reply',
    )
  },
)
