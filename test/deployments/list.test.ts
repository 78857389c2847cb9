import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deploy, pathOf } from './deploy.ts'

testApi("an app's deployments are listed, newest first, page by page, as they are got alone", async ({ call }) => {
  const fixture = 'dep_q4zxw6c2m5tn7rka'
  const first = (await deploy(call, {})).body
  const second = (await deploy(call, { domain: 'chat.example.com' })).body
  const page = await call('GET', `${pathOf()}?limit=2`)
  expect(page.body).toEqual({ data: [second, first], has_more: true, next_cursor: expect.any(String) })
  const rest = await call('GET', `${pathOf()}?limit=2&cursor=${page.body.next_cursor}`)
  expect(rest.body).toMatchObject({
    data: [{ id: fixture, state: 'live', domain: 'chat.orchids.example' }],
    has_more: false,
    next_cursor: null,
  })
  expect((await call('GET', pathOf('key_pro', fixture))).body).toEqual(rest.body.data[0])
  expect((await call('GET', '/v1/apps/app_wfr4wqydlhx43ree/deployments')).body.data).toEqual([])
})

testApi('a list shows what the clock has brought since it was asked for last', async ({ call, world }) => {
  const { body } = await deploy(call, { domain: 'chat.example.com' })
  await call('POST', `${pathOf('key_pro', body.id)}/verify`)
  expect((await call('GET', pathOf())).body.data[0].state).toBe('issuing_certificate')
  world.clock.advance('30s')
  expect((await call('GET', pathOf())).body.data[0].state).toBe('live')
})
