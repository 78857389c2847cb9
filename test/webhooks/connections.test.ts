import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createPlants, open, subscribe } from './open.ts'
import { startReceiver } from './receiver.ts'

/** Delivers three events, one after the other. Returns the statuses of all attempts, and how many connections there were. */
async function deliverThree(keepAliveTimeout: number, cuts: Record<number, 'drop' | 'reset' | 'cut short'> = {}) {
  const receiver = await startReceiver((_, place) => {
    if (!cuts[place]) return 200
    const socket = sockets.at(-1)!
    if (cuts[place] === 'reset') socket.resetAndDestroy()
    else socket.end(cuts[place] === 'drop' ? '' : 'HTTP/1.1 2')
    return 'never'
  })
  receiver.server.keepAliveTimeout = keepAliveTimeout
  const sockets: Socket[] = []
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

test('deliveries share a connection that the receiver keeps alive; it closes with the server', async () => {
  expect(await deliverThree(5_000)).toEqual({ attempts: [200, 200, 200], connections: 1, received: 3 })
})

test('deliveries have connections of their own if the receiver promises nothing, or too little', async () => {
  for (const timeout of [0, 1_000])
    expect(await deliverThree(timeout)).toEqual({ attempts: [200, 200, 200], connections: 3, received: 3 })
})

test.each([
  ['a shared connection that the receiver drops', { 1: 'drop' }, [200, 200, 200], 4],
  ['a shared connection that the receiver resets', { 1: 'reset' }, [200, 200, 200], 4],
  ['a shared connection, and then the new one', { 1: 'drop', 2: 'drop' }, [200, 'socket hang up', 200], 4],
  ['a shared connection after the first bytes of an answer', { 1: 'cut short' }, [200, 'socket hang up', 200], 3],
  ['a new connection', { 0: 'drop' }, ['socket hang up', 200, 200], 3],
] as const)('an attempt is one request, repeated once on a new connection: %s', async (_, cuts, attempts, received) => {
  expect(await deliverThree(5_000, cuts)).toMatchObject({ attempts, received })
})
