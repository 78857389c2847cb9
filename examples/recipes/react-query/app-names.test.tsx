// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { createTest } from 'greenhouse-mock/vitest'
import { afterEach } from 'vitest'
import { AppNames, appsUrl } from './app-names.tsx'

const test = createTest({ apps: appsUrl, now: '2026-03-01T12:00:00Z', frozen: true })

afterEach(cleanup)

function show(apiKey: string) {
  // A client for every test: a cache that tests share would hide requests.
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AppNames apiKey={apiKey} retryDelay={0} />
    </QueryClientProvider>,
  )
}

test('two failures are retried', async ({ api, world, expect }) => {
  world.use('flaky', { failures: 2 })
  show(api.key('key_pro'))
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('tomato-guide'))
  expect(world.journal.calls().map(({ response }) => response.status)).toEqual([500, 500, 200])
})

test('a spent plan is not retried', async ({ api, world, expect }) => {
  world.use('rate-limited-plan')
  show(api.key('key_pro'))
  expect((await screen.findByRole('alert')).textContent).toBe('Try again in 60 seconds.')
  expect(world.journal.calls()).toHaveLength(1)
})
