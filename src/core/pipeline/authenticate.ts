import {
  type Account,
  accounts,
  type Caller,
  isPlainKey,
  type Key,
  findKey,
  keys,
  nameKey,
  type PlanName,
  planOf,
  type Scope,
  addImpliedScopes,
} from '../accounts/accounts.ts'
import { ApiError, errors, type Explanation } from '../contract/errors.ts'
import { headerOf } from '../http/request.ts'
import { toFingerprint } from '../secrets/known-secrets.ts'
import { describeClause, suggest } from '../text/messages.ts'
import { toTimestamp } from '../time/time-text.ts'
import type { LiveWorld } from '../world/live-world.ts'
import type { Exchange } from './exchange.ts'

export function authenticate(exchange: Exchange): Caller {
  const isExact = exchange.assume('auth.scheme-case') === 'exact'
  const header = headerOf(exchange.request, 'authorization')
  const secret = isExact && !header?.startsWith('Bearer ') ? undefined : exchange.secret
  const found = resolveKey(exchange, secret, adoptKeyOfService(exchange, secret))
  if (found.key) return found
  throw toKeyError(exchange, found)
}

/**
 * Returns a key that a real service accepted and the fixtures lack, and creates the account that it
 * belongs to.
 */
function adoptKeyOfService(
  { world, acceptedKey }: Exchange,
  secret: string | undefined,
): Readonly<Key> | undefined {
  if (!acceptedKey || secret === undefined || findKey(world, secret)) return undefined
  const { account: id } = acceptedKey
  const all = world.collection(accounts)
  if (!all.get(id))
    all.create({
      id,
      name: 'A customer of the service',
      email: `${id}@example.com`,
      plan: 'pro_plus',
    })
  return acceptedKey
}

export function toKeyError(exchange: Exchange, found: KeyRejection): ApiError {
  const { world, request, secret } = exchange
  if (found.isMissing || secret === undefined)
    return new ApiError(
      exchange.assume('auth.missing-code'),
      errors.missing_api_key.message,
      401,
    ).because(explainMissingKey(headerOf(request, 'authorization'), secret, found.by))
  return new ApiError('invalid_api_key').because(explainKey(world, secret, found))
}

export function requireScope(
  exchange: Exchange,
  { key, narrowedBy }: Caller,
  scope: Scope | 'any',
): void {
  if (scope !== 'any' && key.scopes && !key.scopes.includes(scope))
    throw new ApiError('insufficient_permissions', `The API key lacks the scope ${scope}.`).because(
      explainScope(exchange.world, key, scope, narrowedBy),
    )
}

interface KeyRejection {
  readonly key?: undefined
  readonly isMissing: boolean
  /** The end of a sentence about the key; absent for one that the world does not know. */
  readonly why?: string
  /** The name of the scenario that caused it. */
  readonly by?: string | undefined
}

/** Stands for the key that a request lacks: effects that lose keys lose this one, too. */
const noKey: Key = { secret: '', account: '' }

/**
 * Follows a key through the effects of scenarios, once: finds it, lets the scenarios change it, and
 * checks what they left. @param secret `undefined` if the request has no readable key. @param real
 * a key of a real service, which the fixtures may not have.
 */
export function resolveKey(
  exchange: Exchange,
  secret: string | undefined,
  real?: Readonly<Key>,
): Caller | KeyRejection {
  const { world, now } = exchange
  // The world's records say whose key it is.
  const stored = real ?? findKey(world, secret)
  if (!stored) return rejectUnknownKey(exchange, secret)
  // Scenarios may change it, remove it, or make it unknown.
  const changed = changeKey(exchange, withImpliedScopes(stored))
  const { key } = changed
  if (!key) return changed
  // The key that is left must be valid now, and belong to an account.
  const why = invalidityOf(key, now)
  if (why !== undefined) return { isMissing: false, why }
  const account = accountOf(world, stored.account, real !== undefined)
  if (!account)
    return { isMissing: false, why: `belongs to the account ${key.account}, which does not exist` }
  // The plan sets the limits, and a scenario may put the account on another one.
  const plan = planUnder(exchange, account)
  const { narrowedBy } = changed
  return {
    key,
    account,
    plan,
    limits: planOf(world, plan),
    narrowedBy,
  }
}

interface ChangedKey {
  readonly key: Readonly<Key>
  /** The scenario that took the operation's scope from the key. */
  readonly narrowedBy: string | undefined
}

/** A scenario can only remove a key that the world does not know. */
function rejectUnknownKey(exchange: Exchange, secret: string | undefined): KeyRejection {
  const effects = exchange.effects.for('key')
  const effect = effects.find((one) => one.key(noKey, exchange.now) === 'lost')
  if (!effect) return { isMissing: secret === undefined }
  if (secret !== undefined) exchange.fire(effect)
  return { isMissing: true, by: effect.scenario }
}

/**
 * Lets each scenario change what the one before left. The first that makes the key invalid is the
 * reason of the reply. A later one can still remove a key, but not one that is unknown by then.
 */
function changeKey(exchange: Exchange, stored: Readonly<Key>): ChangedKey | KeyRejection {
  const { now, operation } = exchange
  let key = stored
  let firstRejection: KeyRejection | undefined
  let narrowedBy: string | undefined
  for (const effect of exchange.effects.for('key')) {
    const changed = effect.key(key, now)
    if (changed === key) continue
    exchange.fire(effect)
    const by = effect.scenario
    if (changed === 'lost') return { isMissing: true, by }
    if (changed === 'unknown') return firstRejection ?? { isMissing: false, why: 'is unknown', by }
    const why = invalidityOf(changed, now)
    if (why !== undefined && invalidityOf(key, now) === undefined)
      firstRejection = { isMissing: false, why, by }
    if (narrowedBy === undefined && isNarrower(changed, key, operation?.scope)) narrowedBy = by
    key = changed
  }
  return firstRejection ?? { key, narrowedBy }
}

/** @param isReal whether the account is a real service's, which the fixtures may lack. */
function accountOf(world: LiveWorld, id: string, isReal: boolean): Readonly<Account> | undefined {
  const known = world.collection(accounts).get(id)
  if (known || !isReal) return known
  return {
    id,
    name: '',
    email: '',
    plan: 'pro_plus',
  }
}

function planUnder(exchange: Exchange, account: Readonly<Account>): PlanName {
  let { plan } = account
  for (const effect of exchange.effects.for('plan')) {
    const changed = effect.plan(account)
    if (changed === plan) continue
    exchange.fire(effect)
    plan = changed
  }
  return plan
}

const effective = new WeakMap<Readonly<Key>, Readonly<Key>>()

function withImpliedScopes(stored: Readonly<Key>): Readonly<Key> {
  if (!stored.scopes) return stored
  let key = effective.get(stored)
  if (!key)
    effective.set(stored, (key = { ...stored, scopes: [...addImpliedScopes(stored.scopes)] }))
  return key
}

function isNarrower(
  changed: Readonly<Key>,
  key: Readonly<Key>,
  scope: Scope | 'any' = 'any',
): boolean {
  return (
    scope !== 'any' &&
    changed.scopes?.includes(scope) === false &&
    key.scopes?.includes(scope) !== false
  )
}

function invalidityOf({ revoked, expires_at }: Readonly<Key>, now: number): string | undefined {
  if (revoked) return 'is revoked'
  if (expires_at === undefined || toTimestamp(expires_at) > now) return undefined
  return `expired at ${expires_at}`
}

// Each sentence is made in a function that sees only what it needs: the journal keeps what is in
// its scope.

function explainMissingKey(
  header: string | undefined,
  secret: string | undefined,
  by: string | undefined,
): string {
  if (by !== undefined) return `The scenario ${by} removed the key from the request`
  if (header === undefined) return 'The request has no Authorization header'
  if (secret === undefined) return 'The Authorization header is not "Bearer <API_KEY>"'
  return 'The scheme of the Authorization header is not written "Bearer", and auth.scheme-case is exact'
}

function explainKey(world: LiveWorld, secret: string, { why, by }: KeyRejection): Explanation {
  if (why === undefined) return () => explainUnknown(world, secret)
  return () => `${nameKey(world, secret)} ${why}${describeCause(by)}`
}

function explainScope(
  world: LiveWorld,
  { secret, scopes = [] }: Readonly<Key>,
  scope: Scope,
  by: string | undefined,
): Explanation {
  return () =>
    `scope ${scope} missing: ${nameKey(world, secret)} has ${scopes.join(', ') || 'none'}${describeCause(by)}`
}

export function describeCause(by: string | undefined): string {
  if (by === undefined) return ''
  return `, by the scenario ${by}`
}

/**
 * A plain key close to a known one is a typo and may be quoted; any other may be another service's
 * secret.
 */
function explainUnknown(world: LiveWorld, secret: string): string {
  const known = world
    .initialRecordsOf(keys)
    .all()
    .map((key) => key.secret)
    .filter(isPlainKey)
  const isTypo = isPlainKey(secret) && suggest(secret, known) !== ''
  const name = isTypo ? secret : toFingerprint(secret)
  const where = world.name === 'default' ? '' : ` in the world ${world.name}`
  return describeClause(`${name}: no such key${where}`, secret, known)
}
