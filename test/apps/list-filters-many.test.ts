import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { openApp } from '../conversations/chat.ts'
import { createCaller } from '../support/through.ts'

/** Conversations that are looked through; the first three have ended. */
const many = 30_000

test('while a filter looks through very many conversations other requests are answered, and it misses none of them', async () => {
  const greenhouse = createGreenhouse()
  const { records } = greenhouse.world()
  const common = { account: 'acct_pro', app: openApp, user: null, platform: 'web' as const }
  records.conversations.replace(Array.from({ length: many }, (_, place) => ({ ...common, id: `conv_${place}`, created_at: place, ...(place < 3 && { ended_at: place }) })))
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  const order: string[] = []
  const filtered = call('GET', `/v1/apps/${openApp}/conversations?status=ended`).then(({ body }) => {
    order.push('filtered')
    return body.data.map(({ id }: { id: string }) => id)
  })
  const usage = call('GET', `/v1/apps/${openApp}/usage?from=1970-01-01&to=1970-01-02`).then(({ body }) => {
    order.push('usage')
    return body.totals.conversations
  })
  const other = call('GET', '/v1/plans').then(() => order.push('other'))
  expect([await filtered, await usage]).toEqual([['conv_2', 'conv_1', 'conv_0'], many])
  await other
  expect(order[0]).toBe('other')
})
