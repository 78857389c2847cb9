import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

/** A team's own server, with a handler for something else, and one below a base URL of Greenhouse's. */
export const server = setupServer(
  http.get('https://weather.example.com/today', () => HttpResponse.json({ sun: true })),
  http.get('https://plants.example.com/garden/hours', () => HttpResponse.json({ open: 9 })),
  http.get('https://api.example.com/v1/apps', () => HttpResponse.json({ mine: true })),
)

/** What each version calls its option. */
export const strategy = (value: 'error' | 'bypass') =>
  ({ onUnhandledRequest: value, onUnhandledFrame: value }) as object

export const bases = { plants: 'https://plants.example.com/garden', apps: 'https://api.example.com/v1' }

export const ask = (url: string, key: string) =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(async (response) => ({
    status: response.status,
    trace: response.headers.get('x-greenhouse'),
    body: (await response.json()) as unknown,
  }))
