import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { createHandlers } from 'greenhouse-mock/msw'
import { createGreenhouse } from 'greenhouse-mock'

const greenhouse = createGreenhouse()
const handlers = createHandlers(greenhouse, { plants: 'https://plants.test', apps: 'https://apps.test/v1' })

const ask = (headers: Record<string, string>) =>
  getResponse(handlers, new Request('https://plants.test/plants?limit=1', { method: 'OPTIONS', headers }))

const happyDom = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HappyDOM/20.14.6'

test('a preflight of happy-dom that has lost its headers lets the page call', async () => {
  const response = await ask({ 'user-agent': happyDom, accept: '*/*' })
  expect(response?.status).toBe(204)
  for (const what of ['origin', 'methods', 'headers'])
    expect(response?.headers.get(`access-control-allow-${what}`)).toBe('*')
  expect(greenhouse.world().journal.size).toBe(0)
})

test('any other request with OPTIONS is answered as ever', async () => {
  expect((await ask({ 'user-agent': 'node' }))?.status).toBe(404)
  const whole = await ask({
    'user-agent': happyDom,
    origin: 'http://localhost:3000',
    'access-control-request-method': 'GET',
  })
  expect(whole?.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
})
