import { toSecret } from '../accounts/bearer.ts'
import { decodeUnreserved, headerOf, type ServiceRequest } from '../http/request.ts'

/** What names a world. */
export const worldName = /^[A-Za-z0-9._-]{1,64}$/

/** Where a request is headed: the world, the path in it, and the key without a world's suffix. */
export interface Address {
  /** `undefined` when the request names none. */
  readonly world: string | undefined
  readonly path: string
  readonly secret: string | undefined
}

/** Splits the prefix that names a world from a path: `/~checkout/v1/apps` → `checkout` and `/v1/apps`. */
export function splitWorld(encoded: string): { world: string | undefined; path: string } {
  const path = decodeUnreserved(encoded)
  if (!path.startsWith('/~')) return { world: undefined, path }
  const end = path.indexOf('/', 2)
  return end < 0 ? { world: path.slice(2), path: '/' } : { world: path.slice(2, end), path: path.slice(end) }
}

/**
 * Finds the world that a request means, the first that is named of: the path's prefix (`/~checkout/v1/apps`), the header
 * `X-Greenhouse-World`, the key's suffix (`key_pro@checkout`). The name may turn out to be none.
 */
export function toAddress(request: ServiceRequest): Address {
  const { world, path } = splitWorld(request.path)
  let secret = toSecret(headerOf(request, 'authorization'))
  const at = secret === undefined ? -1 : secret.lastIndexOf('@')
  const suffix = at > 0 && worldName.test(secret!.slice(at + 1)) ? secret!.slice(at + 1) : undefined
  if (suffix !== undefined) secret = secret!.slice(0, at)
  return { world: world ?? headerOf(request, 'x-greenhouse-world') ?? suffix, path, secret }
}
