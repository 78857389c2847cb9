import * as z from 'zod/mini'
import { planNames, type PlanName } from './plans.ts'
import { declareCollection, type CollectionDefinition } from '../store/collection.ts'

export const scopes = [
  'apps:read',
  'apps:write',
  'analytics:read',
  'webhooks:read',
  'webhooks:write',
  'deployments:read',
  'deployments:write',
  'payments:read',
  'payments:write',
  'plants:read',
  'plants:write',
] as const

/** A permission of a key. */
export type Scope = (typeof scopes)[number]

const implied: Partial<Record<Scope, Scope>> = {
  'webhooks:write': 'webhooks:read',
  'deployments:write': 'deployments:read',
  'payments:write': 'payments:read',
}

export function toPermitted(granted: readonly Scope[]): readonly Scope[] {
  const missing = granted.flatMap((scope) => implied[scope] ?? []).filter((scope) => !granted.includes(scope))
  if (missing.length === 0) return granted
  const own = granted.filter((scope) => !scopes.includes(scope))
  return [...scopes.filter((scope) => granted.includes(scope) || missing.includes(scope)), ...own]
}

const accountSchema = z.strictObject({
  id: z.string().check(z.minLength(1)),
  name: z.string(),
  email: z.string(),
  plan: z.enum(planNames),
})

/** A customer of the service. */
export interface Account {
  id: string
  name: string
  email: string
  /** Decides the limits of requests and apps. */
  plan: PlanName
}

export const keySchema = z.strictObject({
  secret: z
    .string()
    .check(z.regex(/^[\x21-\x3f\x41-\x7e]+$/, 'Invalid key: expected visible ASCII characters without "@"')),
  account: z.string(),
  /** All scopes if absent. */
  scopes: z.optional(z.array(z.enum(scopes))),
  expires_at: z.optional(z.iso.datetime()),
  revoked: z.optional(z.boolean()),
})

/** An API key of an account. */
export interface Key {
  /** The key itself, as in `Authorization: Bearer <secret>`. */
  secret: string
  /** The account's id. */
  account: string
  /** What the key permits. All scopes by default. */
  scopes?: Scope[] | undefined
  /** ISO 8601. Without it, the key never expires. */
  expires_at?: string | undefined
  revoked?: boolean | undefined
}

export const accounts: CollectionDefinition<Account> = declareCollection({
  name: 'accounts',
  schema: accountSchema,
  key: (account) => account.id,
  refers: { plan: 'plans' },
})

export const keys: CollectionDefinition<Key> = declareCollection({
  name: 'keys',
  schema: keySchema,
  key: (key) => key.secret,
  owner: (key) => key.account,
  secrets: (key) => [key.secret],
})
