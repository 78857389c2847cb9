import * as z from 'zod/mini'
import { planNames } from '../../core/accounts/plans.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { createTrigger } from '../trigger.ts'

/** `account`: puts accounts on another plan. */
export const accountEffect = defineEffect({
  name: 'account',
  // A plan decides caps and limits, and plants have neither unless an assumption says so.
  reach: () => ['apps'],
  schema: z.array(z.strictObject({ plan: z.enum(planNames), ...conditions })),
  create: (specs, activation) =>
    specs.map((spec, index) => ({
      ...activation.name(`account.${index}`),
      decide: createTrigger(spec, activation.counter(`account.${index}`), 'everything'),
      plan: () => spec.plan,
    })),
})
