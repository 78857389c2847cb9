import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSigned } from './certificate.ts'

/** Serves over HTTP until the test ends; gives the base URL. */
export function serveHttp(listener: RequestListener): Promise<string> {
  return open(createHttpServer(listener), 'http')
}

/** Serves over HTTPS, with an untrusted certificate. */
export function serveHttps(listener: RequestListener): Promise<string> {
  return open(createHttpsServer(selfSigned, listener), 'https')
}

/** Accepts raw connections. */
export function serveTcp(listener: (socket: Socket) => void): Promise<string> {
  return open(createTcpServer(listener), 'http')
}

async function open(server: Server | TcpServer, scheme: string): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}
