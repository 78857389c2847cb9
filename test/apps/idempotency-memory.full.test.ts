import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { heapInUse } from '../memory/heap.ts'

// Other work of the process affects the measurement, so the test may retry.
test('only what distinguishes a request with an Idempotency-Key from another is kept', { retry: 2 }, async () => {
  const greenhouse = createGreenhouse({ journal: { entries: 1, bytes: 0 } })
  const ignored = Array.from({ length: 50 }, () => 'x'.repeat(10_000))
  const sent = 500_000
  const post = async (key: string) => {
    const headers = { authorization: 'Bearer key_pro_plus', 'content-type': 'application/json', 'idempotency-key': key }
    const reply = await greenhouse.fetch(
      new Request('http://greenhouse.test/v1/apps', {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: key, ignored }),
      }),
    )
    expect(reply.status).toBe(201)
  }
  await post('first')
  const before = heapInUse()
  for (let count = 0; count < 40; count++) await post(`key-${count}`)
  expect((heapInUse() - before) / (40 * sent)).toBeLessThan(0.25)
})
