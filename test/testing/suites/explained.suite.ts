import { test } from 'greenhouse-mock/vitest'
import { ask } from './team-server.ts'

// Each waits for the other one, so that both run at the same time.
let arrive: () => void
const both = new Promise<void>((resolve) => (arrive = resolve))

test.concurrent('fails with its requests', async ({ api, expect }) => {
  const reply = await ask(`${api.plantsUrl}/plant`, 'key_pro')
  await both
  expect(reply).toMatchObject({ status: 200 })
})

test.concurrent('passes at the same time', async ({ api, expect }) => {
  expect(await ask(`${api.appsUrl}/apps`, 'key_pro')).toMatchObject({ status: 200 })
  arrive()
})

test('fails without a world', async ({ greenhouseHost, expect }) => {
  expect(await ask(`${greenhouseHost.plants}/plants`, 'key_pro')).toMatchObject({ status: 400 })
})
