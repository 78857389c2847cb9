import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { openSocket, toRequest } from '../../support/socket.ts'
import { faulty } from './among.ts'

async function receive(port: number): Promise<Buffer> {
  const socket = await openSocket(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(toRequest('GET /plants', ['Connection: keep-alive']))
  await new Promise((resolve) => socket.on('end', resolve))
  socket.end()
  return Buffer.concat(chunks)
}

test('the given number of non-HTTP bytes arrives, chosen by the seed, then the connection closes', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'garbage', bytes: 60_000 }))
  const world = greenhouse.world()
  await using server = await serve(greenhouse)
  world.use('it')
  const first = await receive(server.port)
  expect(first).toHaveLength(60_000)
  expect(first.every((byte) => byte >= 128)).toBe(true)
  const second = await receive(server.port)
  expect(second.equals(first)).toBe(false)
  world.use('it')
  expect((await receive(server.port)).equals(first)).toBe(true)
  world.reset({ seed: 2 })
  world.use('it')
  expect((await receive(server.port)).equals(first)).toBe(false)
})

test('the default is 64 bytes', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'garbage' }))
  greenhouse.world().use('it')
  await using server = await serve(greenhouse)
  expect(await receive(server.port)).toHaveLength(64)
})
