// The client's base URLs are what they are in production; there MSW answers, and the key leads to
// the test's own world.
import { createTest } from 'greenhouse-mock/vitest'
import type { WorldApi } from 'greenhouse-mock/vitest'
import { BudgetSpentError, Client } from './client.ts'

const plantsUrl = 'https://plants.example.com'
const appsUrl = 'https://api.example.com/v1'

const test = createTest({ plants: plantsUrl, apps: appsUrl, now: '2026-01-31T18:00:00Z' })
const createClient = (api: WorldApi) => new Client({ plantsUrl, appsUrl, key: api.key('key_free') })

test.concurrent('apps are listed by name', async ({ api, expect }) => {
  expect(await createClient(api).appNames()).toContain('plant-doctor')
})

test.concurrent('a spent day says how long to wait', async ({ api, world, expect }) => {
  world.clock.freeze()
  world.use('rate-limited-plan', { window: 'day', plan: 'free' })
  const client = createClient(api)
  const refusal = await client.appNames().catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(BudgetSpentError)

  world.clock.advance((refusal as BudgetSpentError).retryAfterSeconds * 1_000)
  await expect(client.appNames()).resolves.toContain('plant-doctor')
})

test.concurrent('after a month the budget is whole again', async ({ api, world, expect }) => {
  world.use('rate-limited-plan', { window: 'day' })
  const client = createClient(api)
  await expect(client.appNames()).rejects.toThrow(BudgetSpentError)
  world.clock.advance('31d')
  await expect(client.appNames()).resolves.toContain('plant-doctor')
  expect(world.journal.calls().map((call) => call.response.status)).toEqual([429, 200])
})
