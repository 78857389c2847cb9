import { redactText } from '../../core/journal/redact.ts'
import type { SecretFinder } from '../../core/store/secret-finder.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { Collection } from './collections.ts'
import { mapStrings } from './map-strings.ts'

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
  return mapStrings(value, (text) => {
    const hidden = secrets.includes(text) ? finder.fingerprintOf(text) : redactText(text, [finder])
    if (hidden !== text) shown?.set(hidden, text)
    return hidden
  })
}

/** Returns a valid secret that stands in for one of which only the fingerprint is known. @param collection the collection of its record. */
export function toStandIn(collection: string, fingerprint: string): string {
  return collection === 'keys' ? `hidden_${fingerprint}` : `whsec_${btoa(`hidden ${fingerprint}`)}`
}
