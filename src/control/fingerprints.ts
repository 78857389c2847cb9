import type { Key } from '../core/accounts/accounts.ts'
import { toFingerprint } from '../core/store/fingerprint.ts'

const known = new WeakMap<Readonly<Key>, string>()

/** Returns the fingerprint of a stored key, cached, because a call searches all keys of a world, which may be thousands. */
export function fingerprintOf(key: Readonly<Key>): string {
  let fingerprint = known.get(key)
  if (fingerprint === undefined) known.set(key, (fingerprint = toFingerprint(key.secret)))
  return fingerprint
}
