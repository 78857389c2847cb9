import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'

testApi('no violation repeats a key or another secret', async ({ call, world }) => {
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

test('what is sound in one world is a key in the URL where another one knows it as a key', async () => {
  const greenhouse = createGreenhouse()
  const other = greenhouse.world('other')
  await other.records.keys.create({ secret: 'abcd1234', account: 'acct_pro' })
  for (const path of ['/v1/apps?cursor=abcd1234', '/~other/v1/apps?cursor=abcd1234'])
    await greenhouse.fetch(new Request(`http://any${path}`, { headers: { authorization: 'Bearer key_pro' } }))
  expect(greenhouse.world().journal.violations()).toEqual([])
  expect(other.journal.violations().map(({ rule }) => rule)).toEqual(['key-in-url'])
})
