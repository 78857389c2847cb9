import * as z from 'zod/mini'
import { type Account, accounts, hasPlainName, type Key, keySchema, planNames } from '../../core/accounts/accounts.ts'
import { toFingerprint } from '../../core/secrets/secret-finder.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { keysOf, paymentsOf, quotaOfAccount, quotaOfKey, refillQuota, setPlan } from '../../api/inspect/accounts.ts'
import type { World } from '../../api/world.ts'
import { changing, type ChunksAnswer, defineRoutes, done, ok } from '../answer.ts'
import type { AccountSummary, KeySummary, List, NewKey } from '../answers.ts'
import { check } from '../body.ts'
import { type Call, findRecord } from '../call.ts'
import { ControlError } from '../errors.ts'
import { toListChunks } from '../turns.ts'

export const accountRoutes = defineRoutes({
  'GET /worlds/{world}/keys': listKeys,
  'POST /worlds/{world}/keys': changing('body', createKey, 201),
  'PATCH /worlds/{world}/keys/{id}': changing('body', changeKey),
  'DELETE /worlds/{world}/keys/{id}': (call) => call.change((world) => done(deleteKey(world, call.param('id')))),

  'GET /worlds/{world}/accounts': ({ world }) => {
    const live = world.core
    return { chunks: toListChunks(live.collection(accounts).all(), (one) => showAccount(live, one), '', work) }
  },
  'GET /worlds/{world}/accounts/{id}': (call) => ok(readAccount(call.world, call.param('id'))),
  'PATCH /worlds/{world}/accounts/{id}': changing('body', changeAccount),
  'POST /worlds/{world}/accounts/{id}/refill': changing('body', refillAccount),
})

function listKeys({ world }: Call): ChunksAnswer<List<KeySummary>> {
  const live = world.core
  return { chunks: toListChunks(world.records.keys.all(), (key) => showKey(live, key), '', 500) }
}

const newKeySchema = z.strictObject({
  account: z.string(),
  scopes: keySchema.shape.scopes,
  expires_at: keySchema.shape.expires_at,
})

async function createKey(world: World, { greenhouse, body }: Call): Promise<NewKey> {
  const key = await world.createKey(check(greenhouse.catalogue.open(newKeySchema), body))
  return { ...showKey(world.core, key), secret: key.secret }
}

const keyChangesSchema = z.strictObject({
  revoked: z.optional(z.boolean()),
  expires_at: z.optional(z.nullable(z.iso.datetime())),
})

async function changeKey(world: World, call: Call): Promise<KeySummary> {
  const changes = check(keyChangesSchema, call.body)
  const key = findKey(world, call.param('id'))
  const { expires_at } = changes
  const changed = await world.records.keys.update(key.secret, {
    ...changes,
    ...(expires_at === null && { expires_at: undefined }),
  } as Partial<Key>)
  return showKey(world.core, changed!)
}

function deleteKey(world: World, id: string): void {
  world.records.keys.delete(findKey(world, id).secret)
}

function findKey(world: World, id: string): Readonly<Key> {
  const known = world.records.keys.all()
  const key = known.find((one) => fingerprintOf(one) === id)
  if (key) return key
  throw new ControlError(
    404,
    'unknown_key',
    `There is no key ${quote(id)} in the world "${world.name}". Send its "id", from GET /__greenhouse/worlds/${world.name}/keys.${suggest(id, known.map(fingerprintOf))}`,
  )
}

const fingerprints = new WeakMap<Readonly<Key>, string>()

/** Returns the fingerprint of a stored key, cached, because a call searches all keys of a world, which may be thousands. */
export function fingerprintOf(key: Readonly<Key>): string {
  let fingerprint = fingerprints.get(key)
  if (fingerprint === undefined) fingerprints.set(key, (fingerprint = toFingerprint(key.secret)))
  return fingerprint
}

function showKey(live: LiveWorld, key: Readonly<Key>): KeySummary {
  const { secret, account, scopes, expires_at, revoked } = key
  const owner = live.collection(accounts).get(account)
  return {
    id: fingerprintOf(key),
    name: hasPlainName(live, secret) ? secret : null,
    account,
    plan: owner?.plan ?? null,
    scopes: scopes ?? (live.scopes as Key['scopes'] & {}),
    expires_at: expires_at ?? null,
    revoked: revoked ?? false,
    quota: owner ? quotaOfKey(live, key, owner) : null,
  }
}

const maxKeys = 100

/** The extra work of showing an account, as if it were this many bytes of text: its keys need fingerprints. */
const work = 2_000

function readAccount(world: World, id: string): AccountSummary {
  const live = world.core
  return showAccount(live, findAccount(live, id))
}

const accountChangesSchema = z.strictObject({ plan: z.optional(z.enum(planNames)) })

function changeAccount(world: World, call: Call): AccountSummary {
  const id = call.param('id')
  const { plan } = check(call.greenhouse.catalogue.open(accountChangesSchema), call.body)
  const live = world.core
  findAccount(live, id)
  live.catchUp()
  if (plan !== undefined) setPlan(live, id, plan)
  live.catchUp()
  return readAccount(world, id)
}

const refillSchema = z.strictObject({ window: z.optional(z.enum(['minute', 'day'])) })

function refillAccount(world: World, call: Call): AccountSummary {
  const id = call.param('id')
  const { window } = check(refillSchema, call.body)
  const live = world.core
  refillQuota(live, findAccount(live, id), window)
  return readAccount(world, id)
}

function findAccount(live: LiveWorld, id: string): Readonly<Account> {
  return findRecord('account', id, live.collection(accounts), live)
}

function showAccount(live: LiveWorld, account: Readonly<Account>): AccountSummary {
  const { id, name, email, plan } = account
  const keys = keysOf(live, id)
  return {
    id,
    name,
    email,
    plan,
    scopes: live.scopes,
    keys: keys.slice(0, maxKeys).map((key) => showKey(live, key)),
    key_count: keys.length,
    quota: quotaOfAccount(live, account),
    ...paymentsOf(live, account),
  }
}
