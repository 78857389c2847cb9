import { codedError } from '../core/text/error-codes.ts'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { isLoopbackHost } from '../core/http/urls.ts'
import { type Target, isRead, type ProxyOptions, toTargetBases } from './message.ts'
import { attach, type Fronting } from './front.ts'
import { type ForwardedRequest, toHost, toPort, toRoute } from './node-route.ts'
import { forward } from './service-call.ts'

/**
 * Lets a Greenhouse on a server answer from the real service of these options. Returns a
 * function that ends this.
 * @throws Error for a target that is this very server
 */
export function standInFront(
  greenhouse: Fronting,
  options: ProxyOptions,
  own: AddressInfo,
  recorder: Target['recorder'],
): () => void {
  const bases = toTargetBases(options)
  for (const { url } of bases) assertOther(url, own)
  const pseudonym = `greenhouse-${randomBytes(6).toString('hex')}`
  const ended = new AbortController()
  const { bodyLimit } = greenhouse
  const from = {
    bases,
    options,
    bodyLimit,
    pseudonym,
    ended: ended.signal,
  }
  const routes = new Map(bases.map((base) => [base, toRoute(base, from)]))
  const stop = attach(greenhouse, options, bases, {
    decode: (body, encoding) => decodeBody(body, encoding, bodyLimit),
    send: (request, base, isWhole) =>
      forward(request as ForwardedRequest, routes.get(base)!, isWhole && isRead(request.method)),
    recorder,
  })
  return () => {
    stop()
    ended.abort()
    for (const { options } of routes.values()) options.agent.destroy()
  }
}

function assertOther(url: URL, { port, address }: AddressInfo) {
  const host = toHost(url)
  const isHere = isLoopbackHost(host) || host === address
  if (isHere && toPort(url) === port)
    throw codedError(
      'GREENHOUSE_FAILED_FORWARDING',
      `Failed to forward to ${url.origin}: that is this server itself. Name the real service.`,
    )
}

const decoders: Readonly<
  Record<string, ((body: Uint8Array, options: object) => Promise<Uint8Array>) | undefined>
> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: (body, options) =>
    promisify(((body[0] ?? 0) & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw)(body, options),
  br: promisify(zlib.brotliDecompress),
  // Node 20 lacks it.
  zstd: 'zstdDecompress' in zlib ? promisify(zlib.zstdDecompress as typeof zlib.gunzip) : undefined,
  identity: async (body) => body,
}

async function decodeBody(
  body: Uint8Array,
  encoding: string,
  maxOutputLength: number,
): Promise<Uint8Array> {
  let decoded = body
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    const decoder = decoders[name.trim()]
    if (!decoder) throw new Error(`unknown coding ${name}`)
    decoded = await decoder(decoded, { maxOutputLength })
  }
  return decoded
}
