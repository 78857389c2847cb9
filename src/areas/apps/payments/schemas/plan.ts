import * as z from 'zod/mini'
import { planNames } from '../../../../core/accounts/plans.ts'

const count = z.int().check(z.nonnegative())

/** A plan that an account can subscribe to, as replies carry it. */
export const planSchema = z.object({
  id: z.enum(planNames),
  name: z.string(),
  /** The price of one period, in US cents. */
  price: z.object({ amount: count, currency: z.literal('USD') }),
  limits: z.object({ requests_per_minute: count, requests_per_day: count, apps: count }),
  features: z.object({ custom_domain: z.boolean(), hide_powered_by: z.boolean() }),
})
