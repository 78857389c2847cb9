import * as z from 'zod/mini'
import type { Sender } from '../core/pipeline/exchange.ts'
import { planNames } from '../core/accounts/plans.ts'

/** Which operations an effect applies to: ids or globs, one or several. */
export const on = z.optional(
  z.union(
    [z.string(), z.array(z.string()).check(z.minLength(1))],
    'expected the id of an operation, a glob such as "plants.*", or a list of them',
  ),
)

/** Whom an effect applies to; all that is named must hold. `any` stands for all. */
export const where = z.optional(
  z.strictObject({
    plan: z.optional(z.enum(['any', ...planNames])),
    account: z.optional(z.string()),
    key: z.optional(z.string()),
  }),
)

/** What every effect can be limited by. */
export const conditions = {
  on,
  where,
  /** How many times it acts at most. */
  times: z.optional(z.int().check(z.positive())),
  /** How many matching requests pass before it acts. */
  after: z.optional(z.int().check(z.nonnegative())),
  /** 3: it acts on every 3rd matching request. */
  every: z.optional(z.int().check(z.positive())),
  /** How likely it acts, from 0 to 1; drawn from the world's seed. */
  probability: z.optional(z.number().check(z.gte(0), z.lte(1))),
}

/** The conditions of one effect, as a file states them. */
export interface Conditions {
  readonly on?: z.infer<typeof on>
  readonly where?: z.infer<typeof where>
  readonly times?: number | undefined
  readonly after?: number | undefined
  readonly every?: number | undefined
  readonly probability?: number | undefined
}

/** Makes the question whether an operation is meant. */
export function operationFilter(patterns: z.infer<typeof on>): (operation: string) => boolean {
  if (patterns === undefined) return () => true
  const globs = [patterns].flat().map((pattern) => pattern.split('*'))
  return (operation) => globs.some((parts) => fits(operation, parts))
}

/** Makes the question whether a sender is meant. */
export function senderFilter(where: z.infer<typeof conditions.where>): (sender: Sender | undefined) => boolean {
  const { plan = 'any', account = 'any', key = 'any' } = where ?? {}
  if (plan === 'any' && account === 'any' && key === 'any') return () => true
  return (sender) =>
    sender !== undefined &&
    (plan === 'any' || sender.account.plan === plan) &&
    (account === 'any' || sender.account.id === account) &&
    (key === 'any' || sender.key.secret === key)
}

/** Whether a text begins with the first part, ends with the last and has the others in between, in time that grows with their number only. */
function fits(text: string, parts: readonly string[]): boolean {
  const first = parts[0]!
  if (parts.length === 1) return text === first
  const last = parts.at(-1)!
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= end
}
