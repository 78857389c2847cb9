import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('fails-after lets so many requests pass and none after them until it is cleared', async ({ world, call }) => {
  world.use('fails-after', { after: 2, on: 'apps.list' })
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) statuses.push((await call('GET', '/v1/apps')).status)
  expect(statuses).toEqual([200, 200, 500, 500])
  expect(world.journal.calls()[1]!.verdicts).toMatchObject([{ why: 'the first 2 requests pass, and this is number 2' }])
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('fails-after with 0 fails at once, with the error that is asked for', async ({ world, call }) => {
  world.use('fails-after', { after: 0, error: 'internal_error' })
  expect(await call('GET', '/plants')).toMatchObject({ status: 500, body: { error: 500 } })
  world.use('fails-after', { after: 0, error: 'missing_api_key' })
  expect((await call('GET', '/v1/apps')).body.error.code).toBe('missing_api_key')
  world.clear()
  world.use('fails-after', { after: 1 })
  expect((await call('GET', '/plants')).status).toBe(200)
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
    { why: 'the first request passes, and this is number 1' },
  ])
})
