import { expect } from 'vitest'
import { through } from '../support/through.ts'

through('a cursor that no list gave is 400', async ({ call }) => {
  for (const cursor of ['', 'x', 'c_', 'c_!', 'c_-1', 'C_1', '1', 'c_zzzzzzzzzzzz', 'app_7sm4hb54ca5qj6nu', 'c_1%00']) {
    const { status, body } = await call('GET', `/v1/apps?cursor=${cursor}`)
    expect(status, cursor).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/^cursor: /) })
  }
})

through('a cursor gives the same page however often it is used', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  const first = await call('GET', `/v1/apps?limit=4&cursor=${body.next_cursor}`)
  const again = await call('GET', `/v1/apps?limit=4&cursor=${body.next_cursor}`)
  expect(first.body.data).toHaveLength(4)
  expect(again.body).toEqual(first.body)
})

through("another account's cursor shows none of its apps", async ({ call, world }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  const { status, body: other } = await call('GET', `/v1/apps?cursor=${body.next_cursor}`, { key: 'key_free' })
  expect(status).toBe(200)
  for (const { id } of other.data) expect(world.records.apps.get(id)!.account).toBe('acct_free')
})
