import { toSecret } from '../accounts/known-callers.ts'
import { decodeUnreserved, headerOf, type ServiceRequest } from '../http/request.ts'

export const worldName = /^[A-Za-z0-9._-]{1,64}$/

/** The target of a request: the world, the path in it, and the key without a world's suffix. */
export interface Address {
  /** `undefined` if the request names no world. */
  readonly world: string | undefined
  readonly path: string
  readonly secret: string | undefined
}

/** Splits a world's prefix from a path: `/~checkout/v1/apps` → `checkout` and `/v1/apps`. */
export function splitWorld(encoded: string): { world: string | undefined; path: string } {
  const path = decodeUnreserved(encoded)
  if (!path.startsWith('/~')) return { world: undefined, path }
  const end = path.indexOf('/', 2)
  return end < 0 ? { world: path.slice(2), path: '/' } : { world: path.slice(2, end), path: path.slice(end) }
}

/**
 * Finds the world of a request, in this order: the path's prefix (`/~checkout/v1/apps`), the header
 * `X-Greenhouse-World`, the key's suffix (`key_pro@checkout`). The name may be invalid.
 */
export function toAddress(request: ServiceRequest): Address {
  const { world, path } = splitWorld(request.path)
  let secret = toSecret(headerOf(request, 'authorization'))
  const at = secret === undefined ? -1 : secret.lastIndexOf('@')
  const suffix = at > 0 && worldName.test(secret!.slice(at + 1)) ? secret!.slice(at + 1) : undefined
  if (suffix !== undefined) secret = secret!.slice(0, at)
  return { world: world ?? headerOf(request, 'x-greenhouse-world') ?? suffix, path, secret }
}
