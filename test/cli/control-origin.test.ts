import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'

test('--control-origin is repeatable and lets the pages of an origin use the control API', async () => {
  const page = 'http://localhost:5173'
  const { ready } = await startServe(['--control-origin', page, '--control-origin', 'https://a.example'])
  const ask = (origin: string) => fetch(`${ready.plants_url}/__greenhouse/health`, { headers: { origin } })
  for (const origin of [page, 'https://a.example']) {
    const { status, headers } = await ask(origin)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
  }
  const refused = await ask('http://localhost:5174')
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
  expect((await refused.json()).error.message).toContain('--control-origin http://localhost:5174')
})
