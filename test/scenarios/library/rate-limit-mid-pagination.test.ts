import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi(
  'two pages come, the third is a 429, and the same cursor goes on in the next minute',
  async ({ world, call }) => {
    const all = (await call('GET', '/v1/apps?limit=100')).body.data.map(({ id }: { id: string }) => id)
    world.use('rate-limit-mid-pagination')
    const seen: string[] = []
    let cursor = ''
    const statuses: number[] = []
    while (seen.length < all.length) {
      const { status, body } = await call('GET', `/v1/apps?limit=8${cursor && `&cursor=${cursor}`}`)
      statuses.push(status)
      if (status === 429) world.clock.advance('1m')
      else {
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.next_cursor
      }
    }
    expect(statuses.slice(0, 4)).toEqual([200, 200, 429, 200])
    expect(seen).toEqual(all)
  },
)

testApi('other operations spend nothing of it', async ({ world, call }) => {
  world.use('rate-limit-mid-pagination', { pages: 1 })
  const [app] = (await call('GET', '/v1/apps?limit=1')).body.data
  for (let round = 0; round < 3; round++) expect((await call('GET', `/v1/apps/${app.id}`)).status).toBe(200)
  expect((await call('GET', '/v1/apps')).status).toBe(429)
})
