import express, { type ErrorRequestHandler } from 'express'
import { createGreenhouse } from 'greenhouse-mock'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { answerUntilEnd } from '../support/listen.ts'

const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

test('the middleware answers both areas below the path that it is mounted at', async () => {
  const url = await answerUntilEnd(express().use('/mock', createMiddleware(createGreenhouse())))
  expect((await fetch(`${url}/mock/plants?limit=1`, { headers })).status).toBe(200)
  expect((await fetch(`${url}/mock/v1/apps`, { headers })).status).toBe(200)
  const inWorld = await fetch(`${url}/mock/~checkout/plants`, { headers })
  expect(inWorld.headers.get('x-greenhouse')).toContain('world=checkout')
})

test('the next handler gets paths outside the API', async () => {
  const app = express()
    .use(createMiddleware(createGreenhouse()))
    .use((request, response) => void response.status(299).send(request.url))
  const url = await answerUntilEnd(app)
  for (const path of ['/', '/plantsman', '/v10/apps', '/health', '/~checkout/health'])
    expect((await fetch(url + path, { headers })).status, path).toBe(299)
})

test('headers that an earlier middleware changes are changed for that request alone', async () => {
  const app = express()
    .use((request, _response, next) => {
      if (request.query['limit'] === '1') request.headers['x-greenhouse-scenario'] = 'server-error'
      next()
    })
    .use(createMiddleware(createGreenhouse()))
  const url = await answerUntilEnd(app)
  const statuses: number[] = []
  for (const limit of [1, 2, 1, 2])
    statuses.push((await fetch(`${url}/plants?limit=${limit}`, { headers })).status)
  expect(statuses).toEqual([500, 200, 500, 200])
})

test('a body that something else has read is an error that says what to do', async () => {
  const errors: Error[] = []
  const note: ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error)
    response.sendStatus(500)
  }
  const app = express().use(express.json()).use(createMiddleware(createGreenhouse())).use(note)
  const url = await answerUntilEnd(app)
  await fetch(`${url}/plants`, {
    method: 'POST',
    headers,
    body: '{"id":9007199254740993,"name":"Ficus"}',
  })
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('Mount Greenhouse before express.json()'),
    code: 'GREENHOUSE_UNSUPPORTED_HOST',
  })
})

const greenhouse = createGreenhouse()
const handlers = createHandlers(greenhouse, {
  plants: 'https://plants.test',
  apps: 'https://apps.test/v1',
})

const ask = (headers: Record<string, string>) =>
  getResponse(
    handlers,
    new Request('https://plants.test/plants?limit=1', { method: 'OPTIONS', headers }),
  )

const happyDom =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HappyDOM/20.14.6'

test('a preflight of happy-dom that has lost its headers lets the page call', async () => {
  const response = await ask({ 'user-agent': happyDom, accept: '*/*' })
  expect(response?.status).toBe(204)
  for (const what of ['origin', 'methods', 'headers'])
    expect(response?.headers.get(`access-control-allow-${what}`)).toBe('*')
  expect(greenhouse.world().journal.size).toBe(0)
})

test('any other request with OPTIONS is answered as ever', async () => {
  expect((await ask({ 'user-agent': 'node' }))?.status).toBe(404)
  const asks = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' }
  const whole = await ask({ 'user-agent': happyDom, ...asks })
  expect(whole?.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
})
