import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'

const toId = (number: number) => `app_${String(number).padStart(16, '0')}`
const apps = Array.from({ length: 2_100 }, (_, number) => ({
  id: toId(number),
  account: 'acct_pro',
  name: `App ${number}`,
  created_at: '2026-01-01T00:00:00Z',
}))

test('a list of thousands is paged through newest first, even where pages were deleted', async () => {
  const greenhouse = createGreenhouse({
    fixtures: {
      accounts: [{ id: 'acct_pro', name: 'Pro', email: 'pro@example.com', plan: 'pro' }],
      keys: [{ secret: 'key_pro', account: 'acct_pro' }],
      apps,
    },
  })
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  const world = greenhouse.world()
  const walk = async () => {
    const ids: string[] = []
    for (let query = 'limit=100', more = true; more;) {
      const { status, body } = await call('GET', `/v1/apps?${query}`)
      expect(status).toBe(200)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      more = body.has_more
      query = `limit=100&cursor=${body.next_cursor}`
    }
    return ids
  }
  const newestFirst = apps.map(({ id }) => id).toReversed()
  expect(await walk()).toEqual(newestFirst)
  world.snapshot('all')
  const gone = new Set([
    ...Array.from({ length: 700 }, (_, at) => toId(400 + at)),
    toId(0),
    toId(2_099),
    toId(511),
    toId(512),
  ])
  for (const id of gone) world.records.apps.delete(id)
  expect(await walk()).toEqual(newestFirst.filter((id) => !gone.has(id)))
  world.restore('all')
  expect(await walk()).toEqual(newestFirst)
})
