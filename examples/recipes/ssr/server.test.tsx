import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test as base } from 'greenhouse-mock/vitest'
import { createApp } from './server.tsx'

const test = base.extend<{ app: string }>({
  app: async ({ api }, use) => {
    const server = createApp({ plantsUrl: api.plantsUrl, key: 'key_pro' }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.close()
  },
})

test('the page has the plants', async ({ app, world, expect }) => {
  world.records.plants.replace([{ id: 1, name: 'Ficus', account: 'acct_pro' }])
  expect(await (await fetch(app)).text()).toContain('<p>Ficus</p>')
})

test('a spent plan does not break the page', async ({ app, world, expect }) => {
  world.assume('plants.rate-limits', 'on')
  world.use('rate-limited-plan')
  expect((await fetch(app)).status).toBe(503)
})
