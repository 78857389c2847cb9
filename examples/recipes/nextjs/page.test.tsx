import { test } from 'greenhouse-mock/vitest'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, vi } from 'vitest'
import PlantsPage from './app/plants/page'
import { register } from './instrumentation'

afterEach(() => vi.unstubAllEnvs())

test('the page lists the plants', async ({ api, world, expect }) => {
  vi.stubEnv('PLANTS_BASE_URL', api.plantsUrl)
  vi.stubEnv('PLANTS_KEY', 'key_pro')
  world.records.plants.replace([{ id: 1, name: 'Ficus', account: 'acct_pro' }])
  expect(renderToStaticMarkup(await PlantsPage())).toBe('<ul><li>Ficus</li></ul>')
})

test('the page says that the service is down', async ({ api, world, expect }) => {
  vi.stubEnv('PLANTS_BASE_URL', api.plantsUrl)
  vi.stubEnv('PLANTS_KEY', 'key_pro')
  world.use('maintenance')
  expect(renderToStaticMarkup(await PlantsPage())).toContain('not available: 503')
})

test('with MOCK=1 the server itself is mocked', async ({ expect, onTestFinished }) => {
  vi.stubEnv('NEXT_RUNTIME', 'nodejs')
  vi.stubEnv('MOCK', '1')
  vi.stubEnv('PLANTS_BASE_URL', 'https://plants.example.com')
  vi.stubEnv('PLANTS_KEY', 'key_lite')
  await register()
  const { stop } = await import('./mock.ts')
  onTestFinished(stop)
  expect(renderToStaticMarkup(await PlantsPage())).toBe('<ul></ul>')
})
