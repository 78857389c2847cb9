import * as z from 'zod/mini'
import { chargeKinds, chargeOutcomes } from '../../core/world/layer.ts'
import { planNames } from '../../core/accounts/plans.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { createCount } from '../trigger.ts'

const { times, after, every, probability } = conditions
const charge = z.enum(chargeKinds)

const spec = z
  .strictObject({
    charge: z.union(
      [charge, z.array(charge).check(z.minLength(1))],
      `expected ${chargeKinds.map((kind) => `"${kind}"`).join(', ')}, or a list of them`,
    ),
    outcome: z.optional(z.enum(chargeOutcomes)),
    /** A payment has an account and no key: a renewal is made by the clock. */
    where: z.optional(
      z.strictObject({ plan: z.optional(z.enum(['any', ...planNames])), account: z.optional(z.string()) }),
    ),
    times,
    after,
    every,
    probability,
  })
  .check(
    z.refine(
      ({ charge, outcome }) => outcome !== 'fails-later' || [charge].flat().every((kind) => kind === 'purchase'),
      {
        path: ['outcome'],
        error: 'only a purchase can fail later: expected "declined", or "charge: purchase"',
      },
    ),
  )

/** `payments`: lets the payment provider refuse charges. What comes of it, such as a subscription that is past due, is stored: it happened. */
export const paymentsEffect = defineEffect({
  name: 'payments',
  schema: z.array(spec),
  create: (specs, activation) =>
    specs.map(({ charge, outcome = 'declined', where: { plan = 'any', account = 'any' } = {}, ...limits }, index) => {
      const id = `payments.${index}`
      const kinds = [charge].flat()
      const count = createCount(limits, activation.counter(id))
      return {
        ...activation.name(id),
        decide: ({ operation }) => ({ due: operation?.writes === true, why: 'it acts on payments' }),
        charge({ kind, account: owner }) {
          const isMeant =
            kinds.includes(kind) &&
            (plan === 'any' || owner.plan === plan) &&
            (account === 'any' || owner.id === account)
          return isMeant && count().due ? outcome : undefined
        },
      }
    }),
})
