import { toSecret } from '../http/request.ts'
import { withoutWorld } from '../text/world-key.ts'

/** Returns the key of an `Authorization` header, without the world that it can name. */
export function toSentKey(header: string | undefined): string | undefined {
  const secret = toSecret(header)
  return secret && withoutWorld(secret)
}
