import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { openApp } from '../conversations/chat.ts'
import { createCaller } from '../support/test-api.ts'

/** Conversations that are looked through; the first three have ended. */
const many = 30_000

test('a filter finds three of very many conversations, and usage counts all, even after a write', async () => {
  const greenhouse = createGreenhouse()
  const { records } = greenhouse.world()
  const common = { account: 'acct_pro', app: openApp, user: null, platform: 'web' as const }
  records.conversations.replace(
    Array.from({ length: many }, (_, place) => ({
      ...common,
      id: `conv_${place}`,
      created_at: place,
      ...(place < 3 && { ended_at: place }),
    })),
  )
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  const { body } = await call('GET', `/v1/apps/${openApp}/conversations?status=ended`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['conv_2', 'conv_1', 'conv_0'])
  const count = async () =>
    (await call('GET', `/v1/apps/${openApp}/usage?from=1970-01-01&to=1970-01-02`)).body.totals.conversations
  expect([await count(), await count()]).toEqual([many, many])
  records.conversations.delete('conv_1')
  expect(await count()).toBe(many - 1)
  records.messages.create({
    id: 'msg_1',
    account: 'acct_pro',
    conversation: 'conv_2',
    role: 'user',
    content: 'x',
    credits: 0,
    created_at: 2,
  })
  expect((await call('GET', `/v1/apps/${openApp}/usage?from=1970-01-01&to=1970-01-02`)).body.totals.messages).toBe(1)
})
