import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { openApp } from '../conversations/chat.ts'
import { createCaller } from '../support/through.ts'

/** Conversations that are looked through; the first three have ended. */
const many = 30_000

test('a filter that matches three of very many conversations finds them, and while usage is counted over all of them other requests are answered', async () => {
  const greenhouse = createGreenhouse()
  const { records } = greenhouse.world()
  const common = { account: 'acct_pro', app: openApp, user: null, platform: 'web' as const }
  records.conversations.replace(Array.from({ length: many }, (_, place) => ({ ...common, id: `conv_${place}`, created_at: place, ...(place < 3 && { ended_at: place }) })))
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  const order: string[] = []
  const { body } = await call('GET', `/v1/apps/${openApp}/conversations?status=ended`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['conv_2', 'conv_1', 'conv_0'])
  const usage = call('GET', `/v1/apps/${openApp}/usage?from=1970-01-01&to=1970-01-02`).then(({ body }) => {
    order.push('usage')
    return body.totals.conversations
  })
  const other = call('GET', '/v1/plans').then(() => order.push('other'))
  expect(await usage).toBe(many)
  await other
  expect(order[0]).toBe('other')
})
