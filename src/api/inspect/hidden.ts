import { redact, toShownSecret } from '../../core/secrets/redact.ts'
import { type SecretFinder, toFingerprint } from '../../core/secrets/secret-finder.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { Collection } from './collections.ts'

export function createHider(world: LiveWorld, definition: Collection): (record: object) => object {
  const { secrets } = definition
  if (!secrets) return (record) => record
  const finders = world.secretFinders()
  return (record) => hideSecrets(record, secrets(record), finders) as object
}

/** Replaces each secret in a value. @param secrets those of its record. @param toShown returns what stands in for one. */
export function hideSecrets(
  value: unknown,
  secrets: readonly string[],
  finders: readonly SecretFinder[],
  onHidden?: (text: string, hidden: string) => void,
  toShown = (secret: string) => toShownSecret(secret, finders),
): unknown {
  return mapStrings(value, (text) => {
    const hidden = secrets.includes(text) ? toShown(text) : redact(text, finders)
    if (hidden !== text) onHidden?.(text, hidden)
    return hidden
  })
}

/** Returns a valid secret that stands in for another one, or this one if it does so already. @param collection the collection of its record. */
export function toStandIn(collection: string, secret: string): string {
  if (readStandIn(secret) !== undefined) return secret
  const fingerprint = toFingerprint(secret)
  return collection === 'keys' ? `hidden_${fingerprint}` : `whsec_${btoa(`hidden ${fingerprint}`)}`
}

export function readStandIn(text: string): string | undefined {
  const known = /^hidden_(fp_[0-9a-f]{12})$/.exec(text)?.[1]
  if (known !== undefined || !text.startsWith('whsec_aGlkZGVuI')) return known
  try {
    return /^hidden (fp_[0-9a-f]{12})$/.exec(atob(text.slice('whsec_'.length)))?.[1]
  } catch {
    return undefined
  }
}

/** Returns a copy of JSON data with every string replaced. @param replace gets a string and the name of its field. */
export function mapStrings(value: unknown, replace: (text: string, name: string) => unknown, name = ''): unknown {
  if (typeof value === 'string') return replace(value, name)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace, name))
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, mapStrings(part, replace, field)]))
}
