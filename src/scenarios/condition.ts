import * as z from 'zod/mini'
import type { Account } from '../core/accounts/accounts.ts'
import type { HypotheticalCaller, PresumedCaller } from '../core/pipeline/exchange.ts'
import { planNames } from '../core/accounts/plans.ts'

const on = z
  .optional(
    z.union(
      [z.string(), z.array(z.string()).check(z.minLength(1))],
      'expected the id of an operation, a glob such as "plants.*", or a list of them',
    ),
  )
  .check(z.describe('Which operations: an id (plants.list), a glob (apps.*), or a list of them. All by default.'))

export const ofPlan = z.optional(z.enum(['any', ...planNames])).check(z.describe('The plan that the account is on.'))

export const ofAccount = z.optional(z.string()).check(z.describe('The id of the account.'))

const where = z
  .optional(
    z.strictObject({
      plan: ofPlan,
      account: ofAccount,
      key: z.optional(z.string()).check(z.describe('The key itself, without the suffix "@world".')),
    }),
  )
  .check(z.describe('Which callers: those that match every given field. All by default.'))

/** How often an effect acts. */
export const limits = {
  times: z.optional(z.int().check(z.positive())).check(z.describe('The most times it acts. No limit by default.')),
  after: z
    .optional(z.int().check(z.nonnegative()))
    .check(z.describe('How many matching requests it lets pass first. 0 by default.')),
  every: z
    .optional(z.int().check(z.positive()))
    .check(z.describe('It acts on every nth matching request: 3 means every 3rd.')),
  probability: z
    .optional(z.number().check(z.gte(0), z.lte(1)))
    .check(z.describe("The probability that it acts, from 0 to 1. The world's seed decides.")),
}

export const conditions = { on, where, ...limits }

export type Conditions = z.output<z.ZodMiniObject<typeof conditions>>

type Where = Conditions['where']

export function callerFilter(where: Where): (sender: () => PresumedCaller | undefined) => boolean {
  const { key, matchesAccount } = toFilter(where)
  if (!matchesAccount && key === 'any') return () => true
  return (findSender) => {
    const sender = findSender()
    return (
      sender !== undefined &&
      (!matchesAccount || matchesAccount(sender.account)) &&
      (key === 'any' || sender.key.secret === key)
    )
  }
}

export function hypotheticalCallerFilter(where: Where): (caller: HypotheticalCaller) => boolean {
  const { key, matchesAccount } = toFilter(where)
  return ({ account, hasKey }) => (!matchesAccount || matchesAccount(account)) && (key === 'any' || hasKey(key))
}

function toFilter({ plan = 'any', account = 'any', key = 'any' }: NonNullable<Where> = {}) {
  const matchesAccount =
    plan === 'any' && account === 'any'
      ? undefined
      : (one: Readonly<Account>) => (plan === 'any' || one.plan === plan) && (account === 'any' || one.id === account)
  return { key, matchesAccount }
}
