import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export const serveHttp = (listener: RequestListener) => open(createHttpServer(listener), 'http')

/** Serves over HTTPS, with an untrusted certificate. */
export const serveHttps = (listener: RequestListener) => open(createHttpsServer(selfSigned, listener), 'https')

export const serveTcp = (listener: (socket: Socket) => void) => open(createTcpServer(listener), 'http')

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

/** A self-signed certificate for this machine, and its key: useless elsewhere. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLv9aetOHr3fcB2mj
mjIPzTAD7Zwmrltbj78b3VfuLVihRANCAARc0rF/B2zYWaSSzigwMqBzflr7KGG9
3N2MfKvkRiM27/CHML1Rml3mW/Pur2e8AWXt/EAVgn0YTvWqiUMm0KWW
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUcZMdzYJxfEIagaLPf8OKrC2CNZcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIwMjQxMVoYDzIxMjYxMDI4
MjAyNDExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARc0rF/B2zYWaSSzigwMqBzflr7KGG93N2MfKvkRiM27/CHML1Rml3m
W/Pur2e8AWXt/EAVgn0YTvWqiUMm0KWWo28wbTAdBgNVHQ4EFgQUPEGRlJiNyUFD
9TmMw45ojxXLTpgwHwYDVR0jBBgwFoAUPEGRlJiNyUFD9TmMw45ojxXLTpgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDSAAwRQIgRDxWww30QXxuy1yLyYvZfhuSAu84awHd9LFdcBlTnZ0CIQDt
GZFTEBmt2wj7OkcoqCi57Rf3KjZFx60uAWskkVutRA==
-----END CERTIFICATE-----
`,
}
