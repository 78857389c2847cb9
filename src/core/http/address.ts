import { withoutWorld } from '../text/world-key.ts'
import { decodeUnreserved, headerOf, type ServiceRequest, toSecret } from './request.ts'

/** Splits a world's prefix from a path: `/~checkout/v1/apps` → `checkout` and `/v1/apps`. */
export function splitWorld(encoded: string): {
  world: string | undefined
  path: string
} {
  const path = decodeUnreserved(encoded)
  if (!path.startsWith('/~'))
    return {
      world: undefined,
      path,
    }
  const end = path.indexOf('/', 2)
  if (end < 0)
    return {
      world: path.slice(2),
      path: '/',
    }
  return {
    world: path.slice(2, end),
    path: path.slice(end),
  }
}

/** Returns what a path begins with that names a world, as it was sent: `/~checkout`. */
export function prefixOfWorld(path: string): string {
  return /^\/(?:~|%7e)[^/]*/i.exec(path)?.[0] ?? ''
}

/**
 * In this order: the path's prefix, the header `X-Greenhouse-World`, the key's suffix. The name may
 * be invalid.
 */
export function readAddress(request: ServiceRequest) {
  const { world, path } = splitWorld(request.path)
  const header = headerOf(request, 'authorization')
  if (header !== latest.header) latest = readKey(header)
  const { secret, suffix } = latest
  return {
    world: world ?? headerOf(request, 'x-greenhouse-world') ?? suffix,
    path,
    secret,
  }
}

function readKey(header: string | undefined) {
  const sent = toSecret(header)
  if (sent === undefined)
    return {
      header,
      secret: undefined,
      suffix: undefined,
    }
  const secret = withoutWorld(sent)
  return {
    header,
    secret,
    suffix: secret === sent ? undefined : sent.slice(secret.length + 1),
  }
}

/** Clients repeat their key. */
let latest = readKey(undefined)
