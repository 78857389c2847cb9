import type { Caller } from '../../../core/accounts/accounts.ts'
import { toFingerprint } from '../../../core/secrets/secret-finder.ts'
import { toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { declareGet, defineResource } from '../declare.ts'
import { ownAccountSchema } from './schemas.ts'

export const accountResource = defineResource({
  operations: [
    declareGet({
      id: 'account.get',
      path: '/account',
      title: 'Get the account',
      scope: 'any',
      result: ownAccountSchema,
      read: ({ caller, world }) => presentAccount(caller!, world.scopes),
    }),
  ],
  schemas: { Account: ownAccountSchema },
})

function presentAccount({ account: { id, name, email }, plan, key }: Caller, scopes: readonly string[]) {
  const expires_at = key.expires_at === undefined ? null : toIso(toTimestamp(key.expires_at))
  return {
    id,
    name,
    email,
    plan,
    key: { fingerprint: toFingerprint(key.secret), scopes: key.scopes ?? scopes, expires_at },
  }
}
