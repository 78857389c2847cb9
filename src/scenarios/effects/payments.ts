import * as z from 'zod/mini'
import { chargeKinds, chargeOutcomes } from '../../core/world/effective-settings.ts'
import {
  accountFilter,
  createCountedCheck,
  accountCondition,
  planCondition,
} from '../language/condition.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'
import { oneOrMore } from '../language/fields.ts'

const charge = z.enum(chargeKinds)

export const paymentsEffect = defineEffect({
  name: 'payments',
  description:
    'Makes the payment provider refuse payments. The result is stored. Each account has its own count.',
  reach: () => ['payments'],
  narrowedBy: {
    conditions: ['account', 'plan', 'times'],
    why: 'a payment belongs to an account, not to a request',
  },
  actsOn: ({ operation }) => ({
    due: operation?.writes === true,
    why: 'it acts on payments',
  }),
  fields: {
    charge: described(
      oneOrMore(
        charge,
        `expected ${chargeKinds.map((kind) => `"${kind}"`).join(', ')}, or a list of them`,
      ),
      'Which payments: purchase (of credits), upgrade (to a plan that costs more), renewal (of a subscription), or a list of them.',
    ),
    outcome: optional(
      z.enum(chargeOutcomes),
      'declined, the default: refused at once. fails-later: a purchase is pending first, then it fails.',
    ),
    // A payment has an account but no key, because the clock triggers renewals without a request.
    where: optional(
      z.strictObject({
        plan: planCondition,
        account: accountCondition,
      }),
      'Whose payments: accounts that match every given field. All by default.',
    ),
  },
  check({ charge, outcome }) {
    if (outcome !== 'fails-later' || [charge].flat().every((kind) => kind === 'purchase')) return []
    const message = 'only a purchase can fail later: expected "declined", or "charge: purchase"'
    return [{ path: ['outcome'], message }]
  },
  create(spec, { activation, id }) {
    const { charge, outcome = 'declined', where } = spec
    const kinds = [charge].flat()
    const isMatching = accountFilter(where)
    // One count per account: the clock renews all accounts together, and one account would use up
    // the failures of another.
    const countOf = (owner: string) =>
      createCountedCheck(spec, activation.counter(`${id} ${owner}`))
    return {
      did: 'made the payment fail later',
      charge({ kind, account }) {
        if (!kinds.includes(kind) || !isMatching(account)) return undefined
        if (countOf(account.id)().due) return outcome
        return undefined
      },
    }
  },
})
