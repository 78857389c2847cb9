import * as z from 'zod/mini'
import { type Caller, planNames, scopes } from '../../../core/accounts/accounts.ts'
import { toFingerprint } from '../../../core/secrets/known-secrets.ts'
import { toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { declareGet, defineResource } from '../declare.ts'

/** The key of the request, by its fingerprint. No reply contains the key itself. */
export const ownKeySchema = z.object({
  /** `fp_` and 12 hexadecimal digits. */
  fingerprint: z.string().check(z.regex(/^fp_[0-9a-f]{12}$/)),
  scopes: z.array(z.enum(scopes)),
  /** `null` for a key that does not expire. */
  expires_at: z.nullable(z.iso.datetime()),
})

/** The caller's account and key, as `GET /v1/account` shows them. */
export const ownAccountSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  plan: z.enum(planNames),
  key: ownKeySchema,
})

export const accountResource = defineResource({
  operations: [
    declareGet({
      id: 'account.get',
      path: '/account',
      title: 'Get the account',
      scope: 'any',
      result: ownAccountSchema,
      read: ({ caller, world }) => presentAccount(caller, world.template.scopes),
    }),
  ],
  schemas: { Account: ownAccountSchema },
})

function presentAccount(
  { account: { id, name, email }, plan, key }: Caller,
  scopes: readonly string[],
) {
  const expires_at = key.expires_at === undefined ? null : toIso(toTimestamp(key.expires_at))
  return {
    id,
    name,
    email,
    plan,
    key: {
      fingerprint: toFingerprint(key.secret),
      scopes: key.scopes ?? scopes,
      expires_at,
    },
  }
}
