import * as z from 'zod/mini'
import { scopes } from '../../../core/accounts/accounts.ts'
import { planNames } from '../../../core/accounts/plans.ts'

/** The caller's account and key in replies, without the key's secret. */
export const ownAccountSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  plan: z.enum(planNames),
  key: z.object({
    fingerprint: z.string().check(z.regex(/^fp_[0-9a-f]{12}$/)),
    scopes: z.array(z.enum(scopes)),
    expires_at: z.nullable(z.iso.datetime()),
  }),
})
