import { expect } from 'vitest'
import { through } from '../support/through.ts'

through('no violation repeats a key or another secret', async ({ call, world }) => {
  await call('GET', '/v1/apps?api_key=s3cret-of-mine&user=key_pro_plus')
  await call('GET', '/v1/apps/key_pro')
  await call('GET', '/v1/apps?limit=key_pro')
  await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/', app_id: 'wh_key_pro', key_pro: 1 } })
  const told = JSON.stringify(world.journal.violations())
  expect(told).not.toMatch(/s3cret-of-mine|key_pro/)
  expect(world.journal.violations().map(({ rule, entry }) => `${entry} ${rule}`)).toEqual([
    '1 key-in-url',
    '1 key-in-url',
    '2 key-in-url',
    '3 key-in-url',
    '3 invalid-query',
    '4 wrong-id',
    '4 unknown-field',
  ])
})
