import * as z from 'zod/mini'
import type { Account, Key } from '../core/accounts.ts'
import { planNames } from '../core/plans.ts'

/** Which operations an effect applies to: ids or globs, one or several. */
export const on = z.optional(z.union([z.string(), z.array(z.string()).check(z.minLength(1))]))

/** Whom an effect applies to; all that is named must hold. `any` stands for all. */
export const where = z.optional(
  z.strictObject({
    plan: z.optional(z.enum(['any', ...planNames])),
    account: z.optional(z.string()),
    key: z.optional(z.string()),
  }),
)

type Where = z.infer<typeof where>

/** Makes the question whether an operation is meant. */
export function operationFilter(patterns: z.infer<typeof on>): (operation: string) => boolean {
  if (patterns === undefined) return () => true
  const globs = [patterns].flat().map((pattern) => pattern.split('*'))
  return (operation) => globs.some((parts) => fits(operation, parts))
}

/** Makes the question whether a caller is meant. */
export function callerFilter(where: Where): (key: Readonly<Key>, account: Readonly<Account>) => boolean {
  const { plan = 'any', account = 'any', key = 'any' } = where ?? {}
  return (callerKey, callerAccount) =>
    (plan === 'any' || callerAccount.plan === plan) &&
    (account === 'any' || callerAccount.id === account) &&
    (key === 'any' || callerKey.secret === key)
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
