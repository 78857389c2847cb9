import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('empty-body leaves the status and headers of a success and nothing else', async ({ world, call }) => {
  world.use('empty-body', { on: 'apps.*' })
  const { status, text, headers } = await call('GET', '/v1/apps')
  expect([status, text, headers.get('content-type'), headers.get('content-length')]).toEqual([
    200,
    '',
    'application/json',
    '0',
  ])
  expect(await call('POST', '/v1/apps', { body: { name: 'Made' } })).toMatchObject({ status: 201, text: '' })
  expect(world.records.apps.all().filter(({ name }) => name === 'Made')).toHaveLength(1)
  expect((await call('GET', '/plants')).body).not.toEqual([])
  world.clear()
  expect((await call('GET', '/v1/apps')).body.data).toBeDefined()
})
