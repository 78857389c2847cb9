import * as z from 'zod/mini'
import { planNames } from '../../core/accounts/accounts.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { described } from '../../core/contract/zod.ts'

export const accountEffect = defineEffect({
  name: 'account',
  description: 'Puts accounts on another plan.',
  actsOn: 'everything',
  // A plan sets caps and limits. Plants have neither unless an assumption adds them.
  reach: () => ['apps'],
  fields: { plan: described(z.enum(planNames), 'The plan that they are on.') },
  create: ({ plan }) => ({
    did: `put the account on the plan ${plan}`,
    changePlan: () => plan,
  }),
})
