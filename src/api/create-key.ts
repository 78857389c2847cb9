import { describeMissingAccount, type Key, keys, type NewKey } from '../core/accounts/accounts.ts'
import {
  checkArgument,
  checkOptions,
  flag,
  list,
  oneOf,
  type SchemasOf,
  text,
} from '../core/store/options.ts'
import { codedError } from '../core/text/error-codes.ts'
import { newId } from '../core/time/random.ts'
import type { LiveWorld } from '../core/world/live-world.ts'

/** @throws RangeError for an unknown account; TypeError when a field is wrong. */
export function createKey(world: LiveWorld, key: NewKey): Readonly<Key> {
  const schemas: SchemasOf<NewKey> = {
    account: text('the id of an account, such as "acct_pro"'),
    scopes: list('a list of scopes', oneOf(world.template.scopes)),
    expires_at: text('a time in ISO 8601, such as "2026-01-31T12:00:00Z"'),
    revoked: flag,
  }
  checkOptions('world.createKey', key, schemas)
  checkArgument('world.createKey', 'account', key.account, schemas.account)
  const missing = describeMissingAccount(world, key.account)
  if (missing !== undefined)
    throw codedError('GREENHOUSE_UNKNOWN_NAME', `Failed to create a key: ${missing}`)
  const stored = world.collection(keys)
  const created = stored.create({
    ...key,
    secret: newId(stored, world.random('key'), 'key'),
  })
  world.recordChange({ create_key: created })
  return created
}
