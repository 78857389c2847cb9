import * as z from 'zod/mini'
import { planNames } from '../../core/plans.ts'
import { callerFilter, where } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'

/** `account`: puts accounts on another plan. */
export const accountEffect = defineEffect({
  name: 'account',
  schema: z.array(z.strictObject({ plan: z.enum(planNames), where })),
  create: (specs, { scenario }) =>
    specs.map(({ plan, where }) => {
      const isMeant = callerFilter(where)
      return { scenario, plan: (key, account) => (isMeant(key, account) ? plan : undefined) }
    }),
})
