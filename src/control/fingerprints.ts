import type { Key } from '../core/accounts/accounts.ts'
import { toFingerprint } from '../core/store/fingerprint.ts'

const known = new WeakMap<Readonly<Key>, string>()

/** A stored key's fingerprint, taken once: a world may have thousands of keys, and each call that names one goes over all. */
export function fingerprintOf(key: Readonly<Key>): string {
  let fingerprint = known.get(key)
  if (fingerprint === undefined) known.set(key, (fingerprint = toFingerprint(key.secret)))
  return fingerprint
}
