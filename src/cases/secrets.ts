import { hasPlainName, keys } from '../core/accounts/accounts.ts'
import { hideHeader, hideParameters, isSecretName } from '../core/secrets/secrets.ts'
import { toFingerprint } from '../core/secrets/known-secrets.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import {
  allCollections,
  type Collection,
  readStandIn,
  toStandIn,
} from '../catalogue/inspect/collections.ts'
import { mapStrings } from '../core/text/values.ts'

/** A reply of the account shows the fingerprint of its key, which is no secret that was hidden. */
const fingerprint = /(?<!"fingerprint": ?")fp_[0-9a-f]{12}/g

/**
 * A case has fingerprints and stand-ins instead of the secrets of a world: `hide` puts them,
 * `reveal` finds the secrets again.
 */
export class CaseSecrets {
  readonly #world: LiveWorld
  /** Names of keys that a case shows, such as `key_pro`, by fingerprint. */
  readonly #plain = new Map<string, string>()
  /**
   * What the case has instead of a secret, by the fingerprint of what the replaying world has
   * there.
   */
  readonly #standIns = new Map<string, string>()

  /** @param names of keys that have no plain one, by secret */
  constructor(world: LiveWorld, names: ReadonlyMap<string, string> = new Map()) {
    this.#world = world
    // For the stand-ins.
    this.#secretsInCase()
    for (const { secret } of world.initialRecordsOf(keys).all())
      if (hasPlainName(world, secret)) this.#plain.set(toFingerprint(secret), secret)
    for (const [secret, name] of names) this.#plain.set(toFingerprint(secret), name)
  }

  hasName(secret: string): boolean {
    return this.#plain.has(toFingerprint(secret))
  }

  /** Puts what a case shows instead of fingerprints. */
  show(text: string): string {
    if (!text.includes('fp_')) return text
    return text.replace(
      fingerprint,
      (found) => this.#plain.get(found) ?? this.#standIns.get(found) ?? found,
    )
  }

  /**
   * Replaces the secrets in a string. @param name of its field, which may mark all of it as secret.
   */
  hide(text: string, name = ''): string {
    const finders = this.#world.secretFinders()
    // Options of scenarios have short values: `key: "*"`.
    const isSecret = text.length >= 8 && isSecretName(name)
    return this.show(isSecret ? hideHeader(name, text, finders) : hideParameters(text, finders))
  }

  hideAll<T>(value: T): T {
    return mapStrings(value, (text, name) => this.hide(text, name)) as T
  }

  hideRecord(definition: Collection, record: object): object {
    const own = definition.secrets?.(record) ?? []
    return mapStrings(record, (text) => {
      if (!own.includes(text)) return this.hide(text)
      return this.#plain.get(toFingerprint(text)) ?? toStandIn(definition.name, text)
    }) as object
  }

  reveal(text: string): string {
    const hidden = readStandIn(text)
    if (hidden !== undefined) return this.#secretsInCase().get(hidden) ?? text
    if (!text.includes('fp_')) return text
    const known = this.#secretsInCase()
    return text.replace(fingerprint, (fp) => {
      const secret = known.get(fp)
      if (secret !== undefined) return secret
      // Nobody has this secret, so the fingerprint is as wrong as what the client sent.
      this.#standIns.set(toFingerprint(fp), fp)
      return fp
    })
  }

  revealAll<T>(value: T): T {
    return mapStrings(value, (text) => this.reveal(text)) as T
  }

  #secretsInCase(): Map<string, string> {
    const found = new Map<string, string>()
    for (const definition of allCollections(this.#world))
      if (definition.secrets)
        for (const secret of this.#world.collection(definition).all().flatMap(definition.secrets)) {
          const fp = toFingerprint(secret)
          const hidden = readStandIn(secret)
          if (hidden !== undefined) this.#standIns.set(fp, hidden)
          found.set(hidden ?? fp, secret)
        }
    return found
  }
}
