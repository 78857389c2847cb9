import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { testApi, type Client } from '../support/test-api.ts'

const newestFirst = (world: World) =>
  world.records.apps
    .find((app) => app.account === 'acct_pro')
    .map((app) => app.id)
    .reverse()

/** Walks all pages, and calls `between` after the first one. */
async function walk(
  call: Client['call'],
  limit: number,
  between?: (first: string[]) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { status, body } = await call('GET', `/v1/apps?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    expect(body.has_more).toBe(body.next_cursor !== null)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (cursor === null) await between?.([...seen])
    cursor = body.next_cursor
  } while (cursor !== null)
  return seen
}

testApi('a walk from page to page sees every app once, newest first', async ({ call, world }) => {
  const all = newestFirst(world)
  expect(all.length).toBeGreaterThan(20)
  for (const limit of [1, 7, 20, all.length - 1, all.length, 100])
    expect(await walk(call, limit), `limit ${limit}`).toEqual(all)
})

testApi(
  'an app that is created in the middle of a walk neither shows up in it nor moves it',
  async ({ call, world }) => {
    const all = newestFirst(world)
    expect(await walk(call, 7, () => call('POST', '/v1/apps', { body: { name: 'late' } }))).toEqual(all)
    expect(newestFirst(world)).toHaveLength(all.length + 1)
  },
)

testApi('an app that is deleted ahead of a walk is left out of it, and nothing else is', async ({ call, world }) => {
  const all = newestFirst(world)
  const ahead = all[10]!
  expect(await walk(call, 7, () => call('DELETE', `/v1/apps/${ahead}`))).toEqual(all.filter((id) => id !== ahead))
})

testApi(
  'a walk misses nothing when apps behind it are deleted, even the one at its cursor',
  async ({ call, world }) => {
    const all = newestFirst(world)
    const seen = await walk(call, 7, async (first) => {
      for (const id of first) await call('DELETE', `/v1/apps/${id}`)
    })
    expect(seen).toEqual(all)
  },
)
