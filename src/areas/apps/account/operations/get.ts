import { scopes } from '../../../../core/accounts/accounts.ts'
import { toIso, toTimestamp } from '../../../../core/time/clock.ts'
import { toFingerprint } from '../../../../core/store/fingerprint.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { ownAccountSchema } from '../schemas.ts'

/** Whose key this is, and what it may do. Every key may ask. */
export const getAccount = defineOperation({
  id: 'account.get',
  method: 'GET',
  path: '/account',
  title: 'Get the account',
  source: 'ours',
  scope: 'any',
  result: ownAccountSchema,
  writes: false,
  handle(exchange) {
    const { account, plan, key } = exchange.caller!
    const { id, name, email } = account
    const expires_at = key.expires_at === undefined ? null : toIso(toTimestamp(key.expires_at))
    return {
      status: 200,
      body: {
        id,
        name,
        email,
        plan,
        key: { fingerprint: toFingerprint(key.secret), scopes: key.scopes ?? scopes, expires_at },
      },
    }
  },
})
