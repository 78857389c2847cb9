import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Lets a server, or an app, listen on a free port of this machine. Closing it cuts its connections.
 */
export async function listen(app: RequestListener | Server) {
  const server = typeof app === 'function' ? createServer(app) : app
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port, url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close }
}

/** Answers requests until the end of the test. Returns the URL without a path. */
export async function answerUntilEnd(app: RequestListener): Promise<string> {
  const { url, close } = await listen(app)
  onTestFinished(close)
  return url
}
