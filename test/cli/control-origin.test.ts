import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'

test('--control-origin lets the pages of an origin use the control API, and may come more than once', async () => {
  const { ready } = await startServe([
    '--control-origin',
    'http://localhost:5173',
    '--control-origin',
    'https://a.example',
  ])
  for (const [origin, status] of [
    ['http://localhost:5173', 200],
    ['https://a.example', 200],
    ['http://localhost:5174', 403],
  ] as const) {
    const reply = await fetch(`${ready.plants_url}/__greenhouse/health`, { headers: { origin } })
    expect([origin, reply.status]).toEqual([origin, status])
    expect(reply.headers.get('access-control-allow-origin')).toBe(status === 200 ? origin : null)
  }
  const refused = await fetch(`${ready.plants_url}/__greenhouse/health`, {
    headers: { origin: 'http://localhost:5174' },
  })
  expect((await refused.json()).error.message).toContain('--control-origin http://localhost:5174')
})
