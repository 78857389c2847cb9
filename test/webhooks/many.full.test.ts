import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { times } from '../support/soak.ts'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

setFlagsFromString('--expose-gc')
const deliveries = times(1_000, 100)
/** The most deliveries of a webhook in a world. */
const remembered = 1_000
const collectGarbage = runInNewContext('gc') as () => void

test(`${deliveries} failing deliveries get all attempts in three days, and memory stays flat`, async () => {
  const client = open({ assumptions: { 'plants.rate-limits': 'off' } })
  await using _server = await serve(client.greenhouse)
  const receiver = await startReceiver(() => 500)
  const webhook = await subscribe(client, receiver.url)
  const heaps: number[] = []
  for (let round = 0; round < 3; round++) {
    await createPlants(client, deliveries, 10_000 * (round + 1))
    client.world.clock.advance('3d')
    await client.world.settled()
    expect(receiver.received).toHaveLength(9 * deliveries)
    client.world.clock.advance('1d')
    await client.world.settled()
    expect(receiver.received).toHaveLength(10 * deliveries)
    receiver.received.length = 0
    expect(client.world.records.deliveries.all().filter((delivery) => delivery.webhook === webhook.id)).toHaveLength(
      Math.min(remembered, (round + 1) * deliveries),
    )
    collectGarbage()
    heaps.push(process.memoryUsage().heapUsed)
  }
  expect(heaps[2]! - heaps[1]!).toBeLessThan(4 * 2 ** 20)
})
