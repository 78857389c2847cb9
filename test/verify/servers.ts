import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'

/** Serves until the test ends; gives the URL. */
export async function serveHttp(app: RequestListener | Server): Promise<string> {
  const { url, close } = await listen(app)
  onTestFinished(close)
  return url
}

/** Serves over HTTPS, with an untrusted certificate. */
export const serveHttps = async (listener: RequestListener) =>
  (await serveHttp(createHttpsServer(selfSigned, listener))).replace('http:', 'https:')

export const serveTcp = (listener: (socket: Socket) => void) => serveHttp(createTcpServer(listener))

/** A self-signed certificate for this machine, and its key: useless elsewhere. */
export const selfSigned = {
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
