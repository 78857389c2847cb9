import { redactText } from '../../core/journal/redact.ts'
import type { SecretFinder } from '../../core/store/secret-finder.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { Collection } from './collections.ts'

/** Returns a function that replaces secrets of a collection's records with fingerprints. */
export function createHider(world: LiveWorld, definition: Collection): (record: object) => object {
  const { secrets } = definition
  if (!secrets) return (record) => record
  const finder = world.collection(definition).secretFinder()
  return (record) => hideSecrets(record, secrets(record), finder) as object
}

/** Replaces each secret in a value with its fingerprint. @param shown receives the secrets by fingerprint. */
export function hideSecrets(
  value: unknown,
  secrets: readonly string[],
  finder: SecretFinder,
  shown?: Map<string, string>,
): unknown {
  if (typeof value === 'string') {
    const text = secrets.includes(value) ? finder.fingerprintOf(value) : redactText(value, [finder])
    if (text !== value) shown?.set(text, value)
    return text
  }
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, secrets, finder, shown))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, hideSecrets(part, secrets, finder, shown)]),
  )
}
