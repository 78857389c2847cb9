import * as z from 'zod/mini'
import {
  type Account,
  accounts,
  hasPlainName,
  type Key,
  keys,
  keySchema,
  planNames,
  scopes,
} from '../../core/accounts/accounts.ts'
import { creditsSchema, subscriptionSchema } from '../../areas/apps/payments/schemas.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import {
  keysOf,
  paymentsOf,
  quotaOfAccount,
  quotaOfKey,
  type QuotaSummary,
  refillQuota,
  setPlan,
} from '../../api/inspect/accounts.ts'
import type { World } from '../../api/world.ts'
import type { CreditsReply, SubscriptionReply } from '../../api/generated/wire-types.ts'
import { defineAction, type Call, findRecord, touch } from '../call.ts'
import { toListPage } from '../page.ts'
import { notFound } from '../errors.ts'
import { isoTime, named, pageOf, pageQuery, schemaOf, worldTime } from '../shapes.ts'
import { fingerprintOf, touchRecord } from '../records.ts'
import { described } from '../../scenarios/language/fields.ts'

const window = z.object({ limit: z.int(), used: z.int(), remaining: z.int(), resets_at: worldTime })
const quota = z.nullable(
  schemaOf<QuotaSummary>(z.object({ minute: window, day: window, scenario: z.nullable(z.string()) })),
)

const keySummary = {
  id: described(z.string(), "The secret's fingerprint: fp_ and 12 hexadecimal digits"),
  name: described(
    z.nullable(z.string()),
    'The key itself, if it comes from fixtures and consists of plain words: key_pro',
  ),
  account: z.string(),
  plan: z.nullable(z.enum(planNames)),
  scopes: z.array(z.enum(scopes)),
  expires_at: z.nullable(isoTime),
  revoked: z.boolean(),
  quota: described(quota, "Its quota; null if it spends its account's (rate-limit.scope)"),
}
const shownKey = named('Key', keySummary)
export type KeySummary = z.infer<typeof shownKey>

const shownAccount = named('Account', {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  plan: z.enum(planNames),
  scopes: z.array(z.string()),
  keys: described(z.array(shownKey), 'The oldest 100'),
  key_count: z.int(),
  quota: described(quota, 'Its quota; null if each key has its own (rate-limit.scope)'),
  credits: schemaOf<CreditsReply>(creditsSchema),
  subscription: schemaOf<SubscriptionReply>(subscriptionSchema),
})
export type AccountSummary = z.infer<typeof shownAccount>

export const accountActions = [
  defineAction('keys.list', 'GET /worlds/{world}/keys', {
    title: 'List the API keys',
    description: 'Each with its account, plan, scopes, expiry and quota, without its secret.',
    input: pageQuery,
    output: pageOf(shownKey),
    run: ({ world }, page) => toListPage(world.records.keys.all(), page, (key) => showKey(world.core, key)),
  }),
  defineAction('keys.create', 'POST /worlds/{world}/keys', {
    title: 'Create an API key',
    description: 'The reply is the only one that shows the key, in the field `secret`.',
    input: z.strictObject({
      account: z.string(),
      scopes: keySchema.shape.scopes,
      expires_at: keySchema.shape.expires_at,
      revoked: keySchema.shape.revoked,
    }),
    output: z.object({ ...keySummary, secret: z.string() }),
    status: 201,
    async run(call, given) {
      const { world } = call
      const key = await world.createKey(given)
      touchRecord(call, keys, key.secret, true)
      return { ...showKey(world.core, key), secret: key.secret }
    },
  }),
  defineAction('keys.change', 'PATCH /worlds/{world}/keys/{id}', {
    title: 'Revoke a key, or let it expire',
    description: "The id is the key's fingerprint.",
    input: z.strictObject({
      revoked: z.optional(z.boolean()),
      expires_at: z.optional(described(z.nullable(z.iso.datetime()), 'null removes the expiry')),
    }),
    output: shownKey,
    async run(call, changes) {
      const { world } = call
      const key = findKey(world, call.param('id'))
      const { expires_at } = changes
      touchRecord(call, keys, key.secret)
      const changed = await world.records.keys.update(key.secret, {
        ...changes,
        ...(expires_at === null && { expires_at: undefined }),
      } as Partial<Key>)
      return showKey(world.core, changed!)
    },
  }),
  defineAction('keys.delete', 'DELETE /worlds/{world}/keys/{id}', {
    title: 'Delete a key',
    description: "The id is the key's fingerprint.",
    destructive: true,
    run(call) {
      const { secret } = findKey(call.world, call.param('id'))
      touchRecord(call, keys, secret)
      return call.world.records.keys.delete(secret)
    },
  }),
  defineAction('accounts.list', 'GET /worlds/{world}/accounts', {
    title: 'List the accounts',
    description: 'Each with its keys, credits, subscription and quota.',
    input: pageQuery,
    output: pageOf(shownAccount),
    run({ world: { core: live } }, page) {
      return toListPage(live.collection(accounts).all(), page, (one) => showAccount(live, one))
    },
  }),
  defineAction('accounts.read', 'GET /worlds/{world}/accounts/{id}', {
    title: 'Show an account',
    description: 'With its keys, credits, subscription and quota.',
    output: shownAccount,
    run: readAccount,
  }),
  defineAction('accounts.change', 'PATCH /worlds/{world}/accounts/{id}', {
    title: 'Change the plan of an account',
    description: 'Like a change of the subscription, without a charge; webhooks get the event.',
    input: z.strictObject({ plan: z.optional(z.enum(planNames)) }),
    output: shownAccount,
    run(call, { plan }) {
      const live = call.world.core
      const { id } = findAccount(call)
      live.catchUp()
      touch(
        call,
        `The plan of ${id}`,
        () => live.collection(accounts).get(id)?.plan,
        (before) => setPlan(live, id, before!),
      )
      if (plan !== undefined) setPlan(live, id, plan)
      live.catchUp()
      return readAccount(call)
    },
  }),
  defineAction('accounts.refill', 'POST /worlds/{world}/accounts/{id}/refill', {
    title: 'Refill a quota',
    description: 'Makes the quota of the minute or of the day full again; both without `window`.',
    input: z.strictObject({ window: z.optional(z.enum(['minute', 'day'])) }),
    output: shownAccount,
    run(call, { window }) {
      refillQuota(call.world.core, findAccount(call), window)
      return readAccount(call)
    },
  }),
] as const

function findKey(world: World, id: string): Readonly<Key> {
  const known = world.records.keys.all()
  const key = known.find((one) => fingerprintOf(one) === id)
  if (key) return key
  throw notFound(
    'key',
    `There is no key ${quote(id)} in the world "${world.name}". Send its "id", from GET /__greenhouse/worlds/${world.name}/keys.${suggest(id, known.map(fingerprintOf))}`,
  )
}

function showKey(live: LiveWorld, key: Readonly<Key>): KeySummary {
  const { secret, account, scopes, expires_at, revoked } = key
  const owner = live.collection(accounts).get(account)
  return {
    id: fingerprintOf(key),
    name: hasPlainName(live, secret) ? secret : null,
    account,
    plan: owner?.plan ?? null,
    scopes: [...(scopes ?? (live.scopes as Key['scopes'] & {}))],
    expires_at: expires_at ?? null,
    revoked: revoked ?? false,
    quota: owner ? quotaOfKey(live, key, owner) : null,
  }
}

const maxKeys = 100

function readAccount(call: Call): AccountSummary {
  return showAccount(call.world.core, findAccount(call))
}

function findAccount(call: Call): Readonly<Account> {
  const live = call.world.core
  return findRecord('account', call.param('id'), live.collection(accounts), live)
}

function showAccount(live: LiveWorld, account: Readonly<Account>): AccountSummary {
  const { id, name, email, plan } = account
  const keys = keysOf(live, id)
  return {
    id,
    name,
    email,
    plan,
    scopes: [...live.scopes],
    keys: keys.slice(0, maxKeys).map((key) => showKey(live, key)),
    key_count: keys.length,
    quota: quotaOfAccount(live, account),
    ...paymentsOf(live, account),
  }
}
