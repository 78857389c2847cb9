import * as z from 'zod/mini'
import { planNames, scopes } from '../../../core/accounts/accounts.ts'

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
