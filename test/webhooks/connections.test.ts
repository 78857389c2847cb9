import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createPlants, open, subscribe } from './open.ts'
import { startReceiver, type ReceiverAnswer } from './receiver.ts'

/** Delivers three events, one after the other. Returns the statuses of all attempts, and how many connections there were. */
async function deliverThree(keepAliveTimeout: number, answer?: (place: number) => ReceiverAnswer | 'cut') {
  const receiver = await startReceiver((_, place) => {
    const given = answer?.(place) ?? 200
    if (given !== 'cut') return given
    sockets.at(-1)!.destroy()
    return 'never'
  })
  receiver.server.keepAliveTimeout = keepAliveTimeout
  const sockets: { destroy(): void; readonly destroyed: boolean }[] = []
  receiver.server.on('connection', (socket) => sockets.push(socket))
  const client = open()
  const server = await serve(client.greenhouse)
  const { id } = await subscribe(client, receiver.url)
  for (let event = 0; event < 3; event++) {
    await createPlants(client, 1, 9_000 + event)
    await client.world.settled()
  }
  await server.close()
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  const attempts = client.world.records.deliveries
    .find({ webhook: id })
    .flatMap((delivery) => delivery.attempts.map(({ status, error }) => status ?? error))
  return { attempts, connections: sockets.length, received: receiver.received.length }
}

test('deliveries share a connection that the receiver promises to keep open; it is closed with the server', async () => {
  expect(await deliverThree(5_000)).toEqual({ attempts: [200, 200, 200], connections: 1, received: 3 })
})

test('deliveries have connections of their own if the receiver promises nothing, or too little', async () => {
  for (const timeout of [0, 1_000])
    expect(await deliverThree(timeout)).toEqual({ attempts: [200, 200, 200], connections: 3, received: 3 })
})

test('an attempt is one request: a shared connection that is cut off fails it, as a new one does', async () => {
  const cut = (place: number) => (place === 1 ? 'cut' : 200)
  expect(await deliverThree(5_000, cut)).toEqual({
    attempts: [200, 'socket hang up', 200],
    connections: 2,
    received: 3,
  })
})
