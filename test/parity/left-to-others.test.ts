import { createMiddleware as mountHandlers } from '@mswjs/http-middleware'
import express, { type RequestHandler } from 'express'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, test, vi } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { defineOperation } from 'greenhouse-mock/config'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { openApp } from '../support/adapters.ts'

const headers = { authorization: 'Bearer key_pro' }

/** Paths that are not the API's, however similar. */
const foreign = [
  [
    '/',
    '//plants',
    '/PLANTS',
    '/plantsman',
    '/plants%3Flimit=1',
    '/plant',
    '/v2/apps',
    '/v10/apps',
    '/V1/apps',
  ],
  [
    '/~other',
    '/~other?x',
    '/~other/',
    '/~other/health',
    '/~other/plantsman',
    '/x/plants',
    '/x/v1/apps',
  ],
].flat()

/** Paths of the API, also unknown ones. */
const own = [
  [
    '/plants',
    '/plants/',
    '/plants?limit=1',
    '/plants//',
    '/plants/x/y',
    '/v1',
    '/v1/',
    '/v1?x',
    '/v1/nowhere',
  ],
  ['/v1//apps', '/v1/apps/', '/~other/plants', '/~other/v1/apps?limit=1', '/~other/plants?limit=1'],
].flat()

test('the core and the server answer unknown paths with a 404', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(createGreenhouse())
  for (const path of foreign.slice(1))
    for (const send of [
      () => greenhouse.fetch(new Request('http://greenhouse.test' + path, { headers })),
      () => fetch(server.url + path, { headers }),
    ])
      expect((await send()).status, path).toBe(404)
})

test('Express and MSW leave it to what comes after, and nothing else', async () => {
  for (const [name, open] of Object.entries({
    express: openExpress,
    msw: openMsw,
    'http-middleware': openMounted,
  })) {
    const greenhouse = createGreenhouse()
    const { send, close } = await open(greenhouse)
    for (const path of foreign)
      expect((await send(path, { headers })).status, `${name} ${path}`).toBe(299)
    expect(greenhouse.worlds().flatMap((world) => greenhouse.world(world).journal.calls())).toEqual(
      [],
    )
    for (const path of own)
      expect((await send(path, { headers })).status, `${name} ${path}`).not.toBe(299)
    await close()
  }
})

test('no path is left to others if a path of yours begins with a parameter', async () => {
  const any = defineOperation({
    id: 'plants.any',
    method: 'GET',
    path: '/{any}/leaves',
    handle: ({ params }) => params,
  })
  const { send, close } = await openMsw(createGreenhouse({ operations: [any] }))
  expect(await (await send('/x/leaves', { headers })).json()).toEqual({ any: 'x' })
  expect((await send('/plantsman', { headers })).status).toBe(404)
  await close()
})

test('MSW answers below the base URLs, and at no other origin or path', async () => {
  const bases = { plants: 'http://plants.test/a/b', apps: 'http://apps.test/api/v7' }
  const { send, close } = await openMsw(createGreenhouse(), bases)
  for (const url of [
    'http://plants.test/a/b/plants',
    'http://apps.test/api/v7/plans',
    'http://apps.test/api/v7',
  ])
    expect((await send(url)).status, url).not.toBe(299)
  for (const url of [
    'http://plants.test/plants',
    'http://apps.test/v1/plans',
    'http://plants.test/api/v7/plans',
  ])
    expect((await send(url)).status, url).toBe(299)
  for (const url of [
    'http://apps.test/a/b/plants',
    'https://plants.test/a/b/plants',
    'http://plants.test:81/a/b/plants',
  ])
    expect((await send(url)).status, url).toBe(299)
  await close()
})

test('MSW prints the rest of a cut reply in a page', async () => {
  const printed: unknown[] = []
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...values) => void printed.push(values.at(-1)))
  const group = vi.spyOn(console, 'groupCollapsed').mockReturnValue()
  const cut = new Response(new ReadableStream({ start: (body) => body.error(new Error('cut')) }), {
    status: 202,
  })
  await createHandlers(createGreenhouse())
    .at(-1)!
    .log({ request: new Request('http://any.test/plants'), response: cut })
  for (const spy of [log, group]) spy.mockRestore()
  expect(printed.at(-1)).toMatchObject({ status: 202, body: '' })
})

const next: RequestHandler = (_request, response) => void response.status(299).end()

const openExpress = (greenhouse: Greenhouse) =>
  openApp(express().use(createMiddleware(greenhouse)).use(next))

const openMounted = (greenhouse: Greenhouse) =>
  openApp(
    express()
      .use(mountHandlers(...createHandlers(greenhouse)))
      .use(next),
  )

async function openMsw(greenhouse: Greenhouse, bases: Parameters<typeof createHandlers>[1] = {}) {
  const others = http.all('*', () => new Response(null, { status: 299 }))
  const server = setupServer(...createHandlers(greenhouse, bases), others)
  server.listen()
  return {
    send: (url: string, init: RequestInit = { headers }) =>
      fetch(new URL(url.startsWith('/') ? `http://any.test${url}` : url), init),
    close: async () => server.close(),
  }
}
