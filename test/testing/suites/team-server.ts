import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll } from 'vitest'
import { answerUntilEnd } from '../../support/listen.ts'

/**
 * A team's own server, with a handler for something else, and one below a base URL of Greenhouse's.
 */
export const server = setupServer(
  http.get('https://weather.example.com/today', () => HttpResponse.json({ sun: true })),
  http.get('https://plants.example.com/garden/hours', () => HttpResponse.json({ open: 9 })),
  http.get('https://api.example.com/v1/apps', () => HttpResponse.json({ mine: true })),
  http.get('https://api.example.com/v1/feature-flags', () => HttpResponse.json({ dark: true })),
  http.get('https://plants.example.com/garden/plants/calendar', () =>
    HttpResponse.json({ month: 3 }),
  ),
)

/** Lets it listen while the tests of a file run. */
export function listen(value: 'error' | 'bypass'): void {
  // The option's name in each version.
  beforeAll(() => server.listen({ onUnhandledRequest: value, onUnhandledFrame: value } as object))
  afterAll(() => server.close())
}

export const bases = {
  plants: 'https://plants.example.com/garden',
  apps: 'https://api.example.com/v1',
}

export const ask = (url: string, key: string) =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(async (response) => ({
    status: response.status,
    trace: response.headers.get('x-greenhouse'),
    body: (await response.json()) as unknown,
  }))

/**
 * Creates an app, and gives the deliveries of it that reach a receiver on this machine, or none
 * where `url` is another one.
 */
export async function deliver(
  apps: string,
  key: string,
  settled: () => Promise<unknown>,
  url?: string,
) {
  const received: string[] = []
  const receiver = await answerUntilEnd((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume()
    response.end()
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const send = (path: string, body: object) =>
    fetch(apps + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await send('/webhooks', { url: url ?? `${receiver}/hook`, events: ['app.created'] })
  await send('/apps', { name: 'helper' })
  await settled()
  return received
}
