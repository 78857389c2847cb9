import { scopes as allScopes, type Key } from '../core/accounts/accounts.ts'
import { quote } from '../core/definitions/quote.ts'
import type { World } from '../greenhouse/world.ts'
import type { KeySummary, NewKey } from './answers.ts'
import { check } from './body.ts'
import { ControlError } from './errors.ts'
import { fingerprintOf } from './fingerprints.ts'
import { keyChangesSchema, newKeySchema } from './schemas.ts'

/** A world's keys, with fingerprints in place of the secrets. */
export function showKeys(world: World): KeySummary[] {
  return world.records.keys.all().map(toShown)
}

/** Makes a key. This reply is the only one that shows it. @throws ControlError, RangeError */
export async function createKey(world: World, body: unknown): Promise<NewKey> {
  const key = await world.createKey(check(newKeySchema, body))
  return { ...toShown(key), secret: key.secret }
}

/** Revokes a key, or changes when it expires. @throws ControlError */
export async function changeKey(world: World, id: string, body: unknown): Promise<KeySummary> {
  const changes = check(keyChangesSchema, body)
  const key = world.records.keys.all().find((known) => fingerprintOf(known) === id)
  if (!key) throw new ControlError(404, 'unknown_key', `There is no key ${quote(id)} in the world "${world.name}".`)
  const { expires_at } = changes
  const changed = await world.records.keys.update(key.secret, {
    ...changes,
    ...(expires_at === null && { expires_at: undefined }),
  } as Partial<Key>)
  return toShown(changed!)
}

function toShown(key: Readonly<Key>): KeySummary {
  const { account, scopes, expires_at, revoked } = key
  return {
    id: fingerprintOf(key),
    account,
    scopes: scopes ?? allScopes,
    expires_at: expires_at ?? null,
    revoked: revoked ?? false,
  }
}
