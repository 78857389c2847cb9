import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { isAlive, startServeProcess } from '../support/process.ts'
import { openSocket } from '../support/socket.ts'

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} stops the server with exit code 0`, async () => {
    const { stop, child, ready } = await startServeProcess()
    expect(await stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(isAlive(child.pid!)).toBe(false)
    await expect(fetch(ready.plants_url)).rejects.toThrow()
  })

test('connections that are idle, silent or half-way do not keep the server', async () => {
  const { stop, ready, call } = await startServe()
  const port = Number(new URL(ready.plants_url).port)
  for (const beginning of ['', 'GET /plants HTTP/1.1\r\nHo', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
    const socket = await openSocket(port)
    socket
      .on('error', () => undefined)
      .resume()
      .write(beginning)
  }
  await call('/plants')
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})
