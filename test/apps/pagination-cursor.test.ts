import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { loginApp, openApp } from '../conversations/chat.ts'
import { testApi } from '../support/test-api.ts'

const list = `/v1/apps/${openApp}/conversations`

/** Starts five conversations. */
async function start({ records }: World) {
  for (let count = 0; count < 5; count++)
    await records.conversations.create({
      id: `conv_${count}`,
      account: 'acct_pro',
      app: openApp,
      user: null,
      platform: 'api',
      created_at: count,
    })
}

testApi('a cursor that no list gave is 400', async ({ call }) => {
  for (const cursor of ['', 'x', 'c_', 'c_!', 'c_-1', 'C_1', '1', 'c_zzzzzzzzzzzz', 'app_7sm4hb54ca5qj6nu', 'c_1%00']) {
    const { status, body } = await call('GET', `/v1/apps?cursor=${cursor}`)
    expect(status, cursor).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/^cursor /) })
  }
})

testApi('a cursor gives the same page however often it is used', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  const first = await call('GET', `/v1/apps?limit=4&cursor=${body.next_cursor}`)
  const again = await call('GET', `/v1/apps?limit=4&cursor=${body.next_cursor}`)
  expect(first.body.data).toHaveLength(4)
  expect(again.body).toEqual(first.body)
})

const message = 'cursor must be a next_cursor of this list, with the same filters and order.'

testApi("another account's cursor is 400", async ({ call }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  expect(await call('GET', `/v1/apps?cursor=${body.next_cursor}`, { key: 'key_free' })).toMatchObject({
    status: 400,
    body: { error: { message } },
  })
})

testApi("another list's cursor is 400: of another operation, and of another app", async ({ call, world }) => {
  await start(world)
  const { body } = await call('GET', `${list}?limit=1`)
  for (const path of ['/v1/apps', `/v1/apps/${loginApp}/conversations`, `/v1/apps/${openApp}/users`, '/v1/plans'])
    expect(await call('GET', `${path}?cursor=${body.next_cursor}`), path).toMatchObject({
      status: 400,
      body: { error: { message } },
    })
  expect(
    (await call('GET', `${list}?limit=7&cursor=${body.next_cursor}`)).status,
    'another limit is the same list',
  ).toBe(200)
})

testApi('a cursor holds for the filters and the order that it was made with', async ({ call, world }) => {
  await start(world)
  const { body } = await call('GET', `${list}?limit=1&status=active&order=asc`)
  for (const query of [
    '',
    'status=active',
    'order=asc',
    'status=ended&order=asc',
    'status=active&order=desc',
    'status=active&order=asc&from=2026-01-01',
  ])
    expect((await call('GET', `${list}?cursor=${body.next_cursor}&${query}`)).status, query).toBe(400)
  expect((await call('GET', `${list}?order=asc&cursor=${body.next_cursor}&status=active`)).status).toBe(200)
  const plain = await call('GET', `${list}?limit=1`)
  expect(
    (await call('GET', `${list}?order=desc&cursor=${plain.body.next_cursor}`)).status,
    'the order that holds anyway',
  ).toBe(200)
})

testApi('a cursor that somebody changed is 400', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps?limit=4')
  const cursor: string = body.next_cursor
  for (const changed of [
    `${cursor}1`,
    cursor.slice(0, -1),
    cursor.toUpperCase(),
    ` ${cursor}`,
    cursor.replace(/.$/, (last) => (last === '3' ? '4' : '3')),
  ])
    expect((await call('GET', `/v1/apps?cursor=${encodeURIComponent(changed)}`)).status, changed).toBe(400)
})
