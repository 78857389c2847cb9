import { isPlainFixtureKey, keys } from '../core/accounts/accounts.ts'
import { hideBody, hideHeader, hideParameters, isSecretName } from '../core/secrets/secrets.ts'
import { toFingerprint } from '../core/secrets/known-secrets.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import {
  allCollections,
  type Collection,
  readStandIn,
  toStandIn,
} from '../catalogue/inspect/collections.ts'
import { mapStrings } from '../core/text/values.ts'

/**
 * Matches the fingerprints that hide a secret. The one in `"fingerprint": "fp_…"`, as replies about
 * the account have it, hides nothing: it was sent so.
 */
const fingerprint = /(?<!"fingerprint": ?")fp_[0-9a-f]{12}/g

/**
 * A case has no secrets of its world. A text has a fingerprint, `fp_…`, instead of each; a record,
 * whose secret must be valid, a stand-in, such as `hidden_fp_…`, which has the fingerprint in it.
 * `hide` puts them, `reveal` finds the secrets again.
 */
export class CaseSecrets {
  readonly #world: LiveWorld
  /** The names that a case shows instead of keys, such as `key_pro`, by the key's fingerprint. */
  readonly #shownNames = new Map<string, string>()
  /**
   * The fingerprints in the case, by the fingerprint of what the replaying world has instead of
   * the secret: a stand-in, or the case's fingerprint itself.
   */
  readonly #caseFingerprints = new Map<string, string>()

  /** @param names the names to show instead of further keys, by secret */
  constructor(world: LiveWorld, names: ReadonlyMap<string, string> = new Map()) {
    this.#world = world
    // This call is made for the stand-ins that it notes.
    this.#findSecretsAndStandIns()
    for (const { secret } of world.initialRecordsOf(keys).all())
      if (isPlainFixtureKey(world, secret)) this.#shownNames.set(toFingerprint(secret), secret)
    for (const [secret, name] of names) this.#shownNames.set(toFingerprint(secret), name)
  }

  hasName(secret: string): boolean {
    return this.#shownNames.has(toFingerprint(secret))
  }

  /** Puts names, and the fingerprints that the case has, instead of the fingerprints in a text. */
  show(text: string): string {
    if (!text.includes('fp_')) return text
    return text.replace(
      fingerprint,
      (found) => this.#shownNames.get(found) ?? this.#caseFingerprints.get(found) ?? found,
    )
  }

  /**
   * Replaces the secrets in a text. @param name the name of its field, which may say that the whole
   * text is a secret.
   */
  hide(text: string, name = ''): string {
    const finders = this.#world.secretFinders()
    // A short text is no secret, whatever its field: an option of a scenario may be `key: "*"`.
    const isSecret = text.length >= 8 && isSecretName(name)
    return this.show(isSecret ? hideHeader(name, text, finders) : hideParameters(text, finders))
  }

  /** Replaces the secrets in a body, as the journal does. @param type its Content-Type */
  hideBody(text: string, type: string | undefined): string {
    return this.show(hideBody(text, type, this.#world.secretFinders()))
  }

  hideAll<T>(value: T): T {
    return mapStrings(value, (text, name) => this.hide(text, name)) as T
  }

  hideRecord(definition: Collection, record: object): object {
    const secrets = definition.secrets?.(record) ?? []
    return mapStrings(record, (text) => {
      if (!secrets.includes(text)) return this.hide(text)
      return this.#shownNames.get(toFingerprint(text)) ?? toStandIn(definition.name, text)
    }) as object
  }

  reveal(text: string): string {
    const hidden = readStandIn(text)
    if (hidden !== undefined) return this.#findSecretsAndStandIns().get(hidden) ?? text
    if (!text.includes('fp_')) return text
    const secrets = this.#findSecretsAndStandIns()
    return text.replace(fingerprint, (fp) => {
      const secret = secrets.get(fp)
      if (secret !== undefined) return secret
      // Nobody has this secret, so the fingerprint is as wrong as what the client sent.
      this.#caseFingerprints.set(toFingerprint(fp), fp)
      return fp
    })
  }

  revealAll<T>(value: T): T {
    return mapStrings(value, (text) => this.reveal(text)) as T
  }

  /** Returns the secrets of the world by their fingerprints in the case, and notes stand-ins. */
  #findSecretsAndStandIns(): Map<string, string> {
    const secrets = new Map<string, string>()
    for (const definition of allCollections(this.#world))
      if (definition.secrets)
        for (const secret of this.#world.collection(definition).all().flatMap(definition.secrets)) {
          const fp = toFingerprint(secret)
          const hidden = readStandIn(secret)
          if (hidden !== undefined) this.#caseFingerprints.set(fp, hidden)
          secrets.set(hidden ?? fp, secret)
        }
    return secrets
  }
}
