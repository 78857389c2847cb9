import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import express from 'express'
import { expect, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { inFrontOf } from './in-front.ts'

test('an Express app: nothing is lost, and nothing hangs', async () => {
  const folder = writeFolder({})
  const file = join(folder, 'large.json')
  writeFileSync(file, JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Plant ${id}` }))))
  const app = express()
  app.get('/plants', (_, response) => response.json([{ id: 1, name: 'Ficus' }]))
  app.post('/plants', express.json(), (request, response) => response.status(201).json(request.body))
  app.get('/files', (_, response) => response.sendFile(file))
  app.get('/zipped', (_, response) => {
    response.setHeader('Content-Encoding', 'gzip').type('json')
    pipeline(createReadStream(file), createGzip(), response, () => undefined)
  })
  app.get('/moved', (_, response) => response.redirect('/plants'))
  const { send, target } = await inFrontOf(app)
  const both = async (path: string, init?: RequestInit) => {
    const direct = { ...init, headers: { authorization: 'Bearer key_pro', ...init?.headers } }
    const replies = await Promise.all([send(path, init), fetch(target + path, direct)])
    return Promise.all(
      replies.map(async (reply) => ({
        status: reply.status,
        text: await reply.text(),
        headers: [...reply.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
      })),
    )
  }
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":2,"name":"Aloe"}' }
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
  for (const [path, init] of asked) {
    const [through, direct] = await both(path, init)
    expect(through, path).toEqual(direct)
  }
})
