import { codedError } from '../core/text/error-codes.ts'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { toReason } from '../core/contract/errors.ts'
import { isContent } from '../api/config/settings.ts'
import type { GreenhouseConfig } from '../api/config/types.ts'
import type { NodeListener } from './listener.ts'

/** Returns what creates servers with a certificate. @throws RangeError if it cannot be used. */
export function createServersWith(given: NonNullable<GreenhouseConfig['tls']>) {
  const pair = readPair(given)
  return (options: ServerOptions, listener: NodeListener) => {
    const handshakeTimeout = options.headersTimeout!
    const server = createServer(
      {
        ...options,
        ...pair,
        handshakeTimeout,
      },
      listener,
    )
    const [accept] = server.listeners('connection') as ((socket: Socket) => void)[]
    // Node would cut a client of plain HTTP before it can learn why. Bun's server has no such
    // listener.
    if (!accept) return server
    return server.off('connection', accept).on('connection', (socket: Socket) => {
      const destroy = () => socket.destroy()
      socket.on('error', destroy).setTimeout(handshakeTimeout, destroy)
      socket.once('readable', () => {
        const start = socket.read() as Buffer | null
        if (start === null) return destroy()
        socket.off('timeout', destroy).setTimeout(0)
        const plain = {
          code: 'ERR_SSL_HTTP_REQUEST',
          rawPacket: start,
        }
        if (start[0] !== 0x16) return server.emit('clientError', plain as never, socket.resume())
        socket.unshift(start)
        accept.call(server, socket)
      })
    })
  }
}

function readPair(given: NonNullable<GreenhouseConfig['tls']>) {
  try {
    const pair = {
      cert: readPem(given.cert),
      key: readPem(given.key),
    }
    // TLS itself accepts a key of another algorithm than the certificate's.
    if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
      throw new Error('the key does not belong to the certificate')
    // It accepts less than these classes do: no DER, no short keys.
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to serve https: ${toReason(error)}. --tls-cert and --tls-key, or serve(greenhouse, { tls: { cert, key } }), take a certificate and its key, both in PEM, without a passphrase.`,
    )
  }
}

function readPem(given: string | Uint8Array | undefined): string | Buffer {
  if (given === undefined) throw new Error('the certificate or its key is missing')
  if (typeof given !== 'string') return Buffer.from(given)
  if (!isContent(given)) return readFileSync(given)
  if (given.includes('-----BEGIN')) return given
  throw new Error('a text without "-----BEGIN" is not PEM')
}
