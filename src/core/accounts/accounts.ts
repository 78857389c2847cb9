import { codedError } from '../text/error-codes.ts'
import * as z from 'zod/mini'
import { toFingerprint } from '../secrets/known-secrets.ts'
import {
  type CollectionDefinition,
  declareCollection,
  type RecordKey,
} from '../store/collection.ts'
import { describeProblem, nameSome, quote, suggest } from '../text/messages.ts'
import type { PlanLimits } from './rate-limit.ts'

/**
 * Your own plans, by id. Declare them so that TypeScript knows their names.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface OwnPlans {
 *     team: true
 *   }
 * }
 */
export interface OwnPlans {}

/** The name of a plan, as fixtures and scenarios write it. */
export type PlanName = 'free' | 'lite' | 'pro' | 'pro_plus' | (keyof OwnPlans & string)

/** A plan: the limits of its accounts, and what it costs. */
export interface Plan {
  id: PlanName
  /** The display name. */
  name: string
  /** The most requests in a minute. */
  minute: number
  /** The most requests in a UTC day. */
  day: number
  /** The most apps of an account. */
  apps: number
  /** True if deployments may have a custom domain. */
  custom_domains: boolean
  /** True if deployments may hide "Powered by". */
  white_label: boolean
  /** The price of a period, in US cents. */
  price: number
}

/**
 * A plan as fixtures write it. Omitted fields keep their values; in a new plan they have those of
 * `free`.
 */
export type PlanFixture = Partial<Plan> & { id: PlanName }

export const planNames: readonly [PlanName, ...PlanName[]] = ['free', 'lite', 'pro', 'pro_plus']

/**
 * The plans that always exist. The requests per minute and per day are stated, the rest is ours.
 */
export const defaultPlans: readonly [Plan, ...Plan[]] = [
  {
    id: 'free',
    name: 'Free',
    minute: 60,
    day: 1_000,
    apps: 5,
    custom_domains: false,
    white_label: false,
    price: 0,
  },
  {
    id: 'lite',
    name: 'Lite',
    minute: 120,
    day: 5_000,
    apps: 50,
    custom_domains: false,
    white_label: false,
    price: 900,
  },
  {
    id: 'pro',
    name: 'Pro',
    minute: 300,
    day: 25_000,
    apps: 100,
    custom_domains: true,
    white_label: false,
    price: 2_900,
  },
  {
    id: 'pro_plus',
    name: 'Pro Plus',
    minute: 600,
    day: 100_000,
    apps: 1_000,
    custom_domains: true,
    white_label: true,
    price: 9_900,
  },
]

/** Returns the schema of a whole number. `z.gte` would add more code to a page. */
const integerFrom = (minimum: number) =>
  z.int32().check(({ value, issues }) => {
    if (value < minimum)
      issues.push({
        code: 'too_small',
        origin: 'number',
        minimum,
        inclusive: true,
        input: value,
      })
  })

export const plans: CollectionDefinition<Plan> = declareCollection({
  name: 'plans',
  schema: z.strictObject({
    id: z.enum(planNames),
    name: z.string(),
    minute: integerFrom(1),
    day: integerFrom(1),
    apps: integerFrom(0),
    custom_domains: z.boolean(),
    white_label: z.boolean(),
    price: integerFrom(0),
  }),
  key: (plan) => plan.id,
  defaults: defaultPlans,
})

interface StoredRecordSource {
  collection<T extends object>(
    definition: CollectionDefinition<T>,
  ): { get(key: RecordKey): Readonly<T> | undefined }
}

/** Returns a plan. One that fixtures no longer have, after a reload, is like `free`. */
export function planOf(world: StoredRecordSource, name: PlanName): Readonly<Plan> {
  return world.collection(plans).get(name) ?? defaultPlans[0]
}

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

/** The scope that comes with another one: who may write may read. */
const impliedScopes: Partial<Record<Scope, Scope>> = {
  'webhooks:write': 'webhooks:read',
  'deployments:write': 'deployments:read',
  'payments:write': 'payments:read',
}

/**
 * Returns all scopes that the granted ones permit, in the order of the list. Scopes that a user
 * added come last.
 */
export function addImpliedScopes(granted: readonly Scope[]): readonly Scope[] {
  const missing = granted
    .flatMap((scope) => impliedScopes[scope] ?? [])
    .filter((scope) => !granted.includes(scope))
  if (missing.length === 0) return granted
  const own = granted.filter((scope) => !scopes.includes(scope))
  return [...scopes.filter((scope) => granted.includes(scope) || missing.includes(scope)), ...own]
}

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
    .check(
      z.regex(
        /^[\x21-\x3f\x41-\x7e]+$/,
        'Invalid key: expected visible ASCII characters without "@"',
      ),
    ),
  account: z.string(),
  scopes: z.optional(z.array(z.enum(scopes))),
  expires_at: z.optional(z.iso.datetime()),
  revoked: z.optional(z.boolean()),
})

/** An API key of an account. */
export interface Key extends NewKey {
  /** The key itself, as in `Authorization: Bearer <secret>`. */
  secret: string
}

/** A key before it has its secret. */
export interface NewKey {
  /** The account's id. */
  account: string
  /** The scopes that the key permits, all by default. */
  scopes?: Scope[] | undefined
  /** ISO 8601. Without it, the key never expires. */
  expires_at?: string | undefined
  revoked?: boolean | undefined
}

export const accounts: CollectionDefinition<Account> = declareCollection({
  name: 'accounts',
  schema: z.strictObject({
    id: z.string().check(z.minLength(1)),
    name: z.string(),
    email: z.string(),
    plan: z.enum(planNames),
  }),
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

interface ReadableRecords<T extends object> {
  get(key: RecordKey): object | undefined
  all(): readonly Readonly<T>[]
}

/** A source of the records that a world has now. */
interface CurrentRecordSource {
  collection<T extends object>(definition: CollectionDefinition<T>): ReadableRecords<T>
}

/** The source of the accounts and keys that scenarios and explanations name. */
export interface CallerSource extends CurrentRecordSource {
  readonly name: string
  /** Returns the records that the world started with. */
  initialRecordsOf<T extends object>(definition: CollectionDefinition<T>): ReadableRecords<T>
}

/** Returns the key with a secret. A request may have none that can be read. */
export function findKey(
  world: StoredRecordSource,
  secret: string | undefined,
): Readonly<Key> | undefined {
  if (secret === undefined) return undefined
  return world.collection(keys).get(secret)
}

/** Returns a message if the world has no account with this id, otherwise `undefined`. */
export function describeMissingAccount(world: CurrentRecordSource, id: string): string | undefined {
  const stored = world.collection(accounts)
  if (stored.get(id)) return undefined
  const known = stored.all().map((account) => account.id)
  return describeProblem(`there is no account ${quote(id)}`, id, known)
}

/** Throws if a record belongs to an account that the world does not have. */
export function assertOwnersExist<T extends object>(
  world: CurrentRecordSource,
  { name, owner }: CollectionDefinition<T>,
  records: Iterable<T>,
): void {
  for (const record of records) {
    const account = owner?.(record)
    const missing = account && describeMissingAccount(world, account)
    if (missing)
      throw codedError('GREENHOUSE_UNKNOWN_NAME', `Failed to start with these ${name}: ${missing}`)
  }
}

/** The most keys that a message lists. */
const maxListedKeys = 12

/**
 * Returns a message if the world does not have a key, otherwise `undefined`. The message does not
 * quote the key, which may be a secret.
 */
export function describeMissingKey(world: CallerSource, secret: string): string | undefined {
  const stored = world.collection(keys)
  if (stored.get(secret)) return undefined
  const names = stored.all().map((key) => key.secret)
  const plainNames = names.filter((name) => isPlainFixtureKey(world, name))
  const missing = `the world "${world.name}" has no such key.${suggest(secret, plainNames)}`
  if (plainNames.length === 0) return missing
  return `${missing} It has ${nameSome(plainNames, maxListedKeys)}.`
}

/**
 * Returns the name of a key in explanations: the key itself if it comes from fixtures and consists
 * of plain words, otherwise its fingerprint.
 */
export function nameKey(world: CallerSource, secret: string): string {
  if (isPlainFixtureKey(world, secret)) return secret
  return toFingerprint(secret)
}

/** Returns whether messages may quote a key: it comes from fixtures and is plain words. */
export function isPlainFixtureKey(world: CallerSource, secret: string): boolean {
  return isPlainKey(secret) && world.initialRecordsOf(keys).get(secret) !== undefined
}

const longestPlainKey = 40

/**
 * Returns whether a key consists of lower-case words, as in the fixtures: no service creates such a
 * secret.
 */
export function isPlainKey(secret: string): boolean {
  return secret.length <= longestPlainKey && /^[a-z_-]+$/.test(secret)
}

/** Whose request it is, after the key was checked. */
export interface Caller {
  readonly key: Readonly<Key>
  readonly account: Readonly<Account>
  readonly plan: PlanName
  readonly limits: PlanLimits
  /** The scenario that took the scope of the operation from the key. */
  readonly narrowedBy: string | undefined
}
