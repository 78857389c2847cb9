import { expect } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { key, served, drain } from '../../support/socket.ts'
import { answered } from '../helpers.ts'

const list = `GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n${key}\r\n\r\n`
const last = `GET /v1/apps HTTP/1.1\r\nHost: greenhouse.localhost\r\nConnection: close\r\n${key}\r\n\r\n`

served('faulty replies on a pipelined connection come in their turn', async ({ greenhouse, exchange }) => {
  greenhouse.world().use({
    fault: [
      { kind: 'headers', set: { 'X-Extra': 'yes' }, repeat: ['X-Extra'], on: 'plants.*' },
      { kind: 'drip', bytes_per_second: 1e6, on: 'plants.*' },
    ],
  })
  const replies = await exchange(list.repeat(3) + last)
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(replies.slice(0, 3).map(({ text }) => JSON.parse(text))).toEqual(Array(3).fill(JSON.parse(replies[0]!.text)))
  expect(replies[3]!.text).toContain('"data"')
})

served('what was cut is the last on its connection', async ({ greenhouse, open }) => {
  greenhouse.world().use({ fault: [{ kind: 'truncate', at: 5, content_length: 'lying', on: 'plants.*' }] })
  const socket = await open()
  socket.write(list + last)
  const text = await drain(socket)
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('[{"na')
})

served('a connection that was cut is closed, though the client keeps its side open', async ({ greenhouse, open }) => {
  greenhouse.world().use({ fault: [{ kind: 'truncate', at: 5, content_length: 'lying', on: 'plants.*' }] })
  const socket = await open()
  socket.removeAllListeners('error').on('error', () => undefined)
  socket.resume().write(list)
  await new Promise((resolve) => socket.on('end', resolve))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  while (!socket.destroyed) {
    socket.write(last)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await closed
})

served('a delay ends with the client that waits for it, and keeps no process alive', async ({ greenhouse, open }) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const world = greenhouse.world()
  world.use({ fault: [{ kind: 'delay', fixed: '1d', on: 'apps.*' }] })
  const before = timers()
  const sockets = await Promise.all(Array.from({ length: 20 }, open))
  for (const socket of sockets) socket.write(last)
  await answered(world, 20)
  expect(timers()).toBeGreaterThan(before + 10)
  for (const socket of sockets) socket.destroy()
  while (timers() > before + 10) await new Promise((resolve) => setTimeout(resolve, 1))
  world.clear()
})

served('clients that leave in mid-drip and in mid-delay do no harm', async ({ greenhouse, open }) => {
  const world = greenhouse.world()
  world.use({ fault: [{ kind: 'drip', bytes_per_second: 1, on: 'plants.*' }] })
  world.use({ fault: [{ kind: 'delay', fixed: '1d', on: 'apps.*' }] })
  const sockets = await Promise.all(Array.from({ length: 20 }, open))
  for (const [place, socket] of sockets.entries())
    socket.on('error', () => undefined).write(place % 2 === 0 ? list : last)
  await answered(world, 20)
  for (const [place, socket] of sockets.entries()) {
    if (place % 3 === 0) socket.resetAndDestroy()
    else socket.destroy()
  }
  world.clear()
})

served('a server closes though requests wait for replies that never come', async ({ greenhouse, open }) => {
  const world = greenhouse.world()
  world.use({ fault: [{ kind: 'timeout', on: 'plants.*' }] })
  const sockets = await Promise.all([open(), open(), open()])
  for (const socket of sockets) socket.on('error', () => undefined).write(list)
  await answered(world, 3)
  const second = await serve(greenhouse)
  const waiting = fetch(second.url + '/plants', { headers: { authorization: 'Bearer key_pro' } })
  await answered(world, 4)
  await Promise.all([second.close(), expect(waiting).rejects.toThrow('fetch failed')])
  for (const socket of sockets) socket.destroy()
  world.clear()
})
