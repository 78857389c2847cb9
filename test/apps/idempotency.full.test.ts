import { expect, test } from 'vitest'
import { heapInUse } from '../memory/heap.ts'
import { open, testApi } from '../support/test-api.ts'

testApi(
  'an Idempotency-Key of 255 characters is taken, a longer one is 400',
  async ({ call, world }) => {
    const create = (key: string) =>
      call('POST', '/v1/apps', { body: { name: 'x' }, headers: { 'Idempotency-Key': key } })
    const first = await create('k'.repeat(255))
    expect(first.status).toBe(201)
    expect((await create('k'.repeat(255))).body.id).toBe(first.body.id)
    const before = world.records.apps.count()
    const refused = await create('k'.repeat(256))
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toBe('Idempotency-Key must have at most 255 characters.')
    expect(world.records.apps.count()).toBe(before)
  },
)

test('a world remembers 10,000 idempotency keys, and one more makes it forget only the oldest', async () => {
  const { call, world } = open()
  const buy = (key: string) =>
    call('POST', '/v1/credits/purchases', {
      key: 'key_pro_plus',
      body: { amount: 1, payment_method: 'pm_ok' },
      headers: { 'Idempotency-Key': key },
    })
  const ids: string[] = []
  for (let number = 0; number <= 10_000; number++) {
    if (number % 500 === 0) world.clock.advance('1m')
    const { status, body } = await buy(`key ${number}`)
    expect(status).toBe(201)
    ids.push(body.id)
  }
  world.clock.advance('1m')
  expect((await buy('key 1')).body.id).toBe(ids[1])
  expect((await buy('key 0')).body.id).not.toBe(ids[0])
})

// Other work of the process affects the measurement, so the test may retry.
test(
  'only what distinguishes a request with an Idempotency-Key from another is kept',
  { retry: 2 },
  async () => {
    const { call } = open({ journal: { entries: 1 } })
    const ignored = Array.from({ length: 50 }, () => 'x'.repeat(10_000))
    const sent = 500_000
    const post = async (key: string) => {
      const body = { name: key, ignored }
      const reply = await call('POST', '/v1/apps', {
        key: 'key_pro_plus',
        body,
        headers: { 'idempotency-key': key },
      })
      expect(reply.status).toBe(201)
    }
    await post('first')
    const before = heapInUse()
    for (let count = 0; count < 40; count++) await post(`key-${count}`)
    expect((heapInUse() - before) / (40 * sent)).toBeLessThan(0.25)
  },
)
