import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

test('many deliveries under way, and their end, make Node warn of nothing', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const client = open()
  const server = await serve(client.greenhouse)
  const receiver = await startReceiver(() => 'never')
  for (const [index, key] of ['key_free', 'key_lite', 'key_pro'].entries()) {
    const call: typeof client.call = (method, path, options) => client.call(method, path, { key, ...options })
    for (let webhook = 0; webhook < 8; webhook++) await subscribe({ call }, `${receiver.url}?webhook=${webhook}`)
    await createPlants({ call }, 1, 9_000 + index)
  }
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(15)
  await server.close()
  await client.world.settled()
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

test('a delivery that succeeded is not given up afterwards', async () => {
  const client = open()
  const signals: AbortSignal[] = []
  client.greenhouse.deliverThrough({
    async send(_, signal) {
      signals.push(signal)
      return { status: 200, body: '' }
    },
  })
  await subscribe(client, 'http://127.0.0.1:9/hook')
  await createPlants(client, 3)
  await client.world.settled()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false])
})
