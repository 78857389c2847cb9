import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heap(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

test('of a request with an Idempotency-Key no more is kept than tells it from another', async () => {
  const greenhouse = createGreenhouse({ journal: { entries: 1, bytes: 0 } })
  const ignored = Array.from({ length: 50 }, () => 'x'.repeat(10_000))
  const sent = 500_000
  const post = async (key: string) => {
    const headers = { authorization: 'Bearer key_pro_plus', 'content-type': 'application/json', 'idempotency-key': key }
    const reply = await greenhouse.fetch(new Request('http://greenhouse.test/v1/apps', { method: 'POST', headers, body: JSON.stringify({ name: key, ignored }) }))
    expect(reply.status).toBe(201)
  }
  await post('first')
  const before = heap()
  for (let count = 0; count < 40; count++) await post(`key-${count}`)
  expect((heap() - before) / (40 * sent)).toBeLessThan(0.25)
})
