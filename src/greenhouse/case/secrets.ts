import { keys } from '../../core/accounts/accounts.ts'
import { redactText } from '../../core/journal/redact.ts'
import { hasPlainName } from '../../core/accounts/known-callers.ts'
import { toFingerprint } from '../../core/store/fingerprint.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { allCollections, type Collection } from '../inspect/collections.ts'

/** What stands for a secret in a case. */
const fingerprint = /fp_[0-9a-f]{12}/g

/** The secret that a world gets in place of one that a case only knows by its fingerprint. */
export function toStandIn(collection: string, fp: string): string {
  return collection === 'keys' ? `hidden_${fp}` : `whsec_${btoa(`hidden ${fp}`)}`
}

/** Hides the secrets of a world in what a case says, and finds them again when the case is replayed. */
export class CaseSecrets {
  readonly #world: LiveWorld
  /** Keys of plain words, by fingerprint: they are shown. */
  readonly #plain = new Map<string, string>()
  /** The secrets that stand for others in this world, by fingerprint, with the fingerprints of those. */
  readonly #standIns = new Map<string, string>()

  constructor(world: LiveWorld) {
    this.#world = world
    for (const { secret } of world.seedOf(keys).all())
      if (hasPlainName(world, secret)) this.#plain.set(toFingerprint(secret), secret)
  }

  /** Returns a text in which the journal has replaced secrets, as a case says it. */
  show(text: string): string {
    if (!text.includes('fp_')) return text
    return text.replace(fingerprint, (found) => this.#plain.get(found) ?? this.#standIns.get(found) ?? found)
  }

  /** Replaces the secrets of a text. */
  hide(text: string): string {
    return this.show(redactText(text, this.#world.secretFinders()))
  }

  /** Replaces the secrets of a record or of data. */
  hideAll<T>(value: T): T {
    if (typeof value === 'string') return this.hide(value) as T
    if (Array.isArray(value)) return value.map((part) => this.hideAll(part)) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.hideAll(part)])) as T
  }

  /** Replaces the secrets of a record by ones that are valid, so that a world can start with it. */
  hideRecord(definition: Collection, record: object): object {
    const own = definition.secrets?.(record) ?? []
    const replace = (value: unknown): unknown => {
      if (typeof value === 'string') {
        if (!own.includes(value)) return this.hide(value)
        const fp = toFingerprint(value)
        return this.#plain.get(fp) ?? toStandIn(definition.name, fp)
      }
      if (Array.isArray(value)) return value.map(replace)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replace(part)]))
    }
    return replace(record) as object
  }

  /** Returns a text with this world's secrets in place of their fingerprints. */
  reveal(text: string): string {
    if (!text.includes('fp_')) return text
    const known = this.#secrets()
    return text.replace(fingerprint, (fp) => {
      const secret = known.get(fp)
      if (secret !== undefined) return secret
      // Nobody has this secret: the fingerprint itself is as wrong as what the client sent.
      this.#standIns.set(toFingerprint(fp), fp)
      return fp
    })
  }

  revealAll<T>(value: T): T {
    if (typeof value === 'string') return this.reveal(value) as T
    if (Array.isArray(value)) return value.map((part) => this.revealAll(part)) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.revealAll(part)])) as T
  }

  /** Returns the secrets of the world's records, by the fingerprints that a case has for them. */
  #secrets(): Map<string, string> {
    const found = new Map<string, string>()
    for (const definition of allCollections(this.#world))
      if (definition.secrets)
        for (const secret of this.#world.collection(definition).all().flatMap(definition.secrets)) {
          const fp = toFingerprint(secret)
          const hidden = /^hidden_(fp_[0-9a-f]{12})$/.exec(secret)?.[1] ?? readHidden(secret)
          if (hidden !== undefined) this.#standIns.set(fp, hidden)
          found.set(hidden ?? fp, secret)
        }
    return found
  }

  /** Learns which of the world's secrets stand for others. */
  learn(): void {
    this.#secrets()
  }
}

function readHidden(secret: string): string | undefined {
  if (!secret.startsWith('whsec_aGlkZGVuI')) return undefined
  try {
    return /^hidden (fp_[0-9a-f]{12})$/.exec(atob(secret.slice('whsec_'.length)))?.[1]
  } catch {
    return undefined
  }
}
