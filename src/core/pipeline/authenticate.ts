import {
  type Account,
  accounts,
  type Caller,
  type Key,
  findKey,
  type PlanName,
  planOf,
  type Scope,
  addImpliedScopes,
} from '../accounts/accounts.ts'
import { cached } from '../contract/cache.ts'
import { ApiError, errors } from '../contract/errors.ts'
import { headerOf } from '../http/request.ts'
import { toTimestamp } from '../time/time-text.ts'
import type { Exchange } from './exchange.ts'
import type { LiveWorld } from '../world/live-world.ts'
import { explainMissingKey, explainRejectedKey, explainScope } from './explain-key.ts'

export function authenticate(exchange: Exchange): Caller {
  const usable = usableSecret(exchange)
  const accepted = usable === undefined ? undefined : exchange.acceptedKey
  if (accepted) createAccountOf(accepted, exchange.world)
  const found = findCaller(exchange, usable, accepted)
  if (found.key) return found
  throw toKeyError(exchange, found)
}

/** Returns the key that was sent, unless its scheme must be written `Bearer`, and is not. */
function usableSecret(exchange: Exchange): string | undefined {
  const isExact = exchange.assume('auth.scheme-case') === 'exact'
  if (isExact && !headerOf(exchange.request, 'authorization')?.startsWith('Bearer '))
    return undefined
  return exchange.secret
}

/** Creates the account of a key that a real service accepted, if the world has neither. */
function createAccountOf({ secret, account }: Readonly<Key>, world: LiveWorld): void {
  const all = world.collection(accounts)
  if (!findKey(world, secret) && !all.get(account)) all.create(toAccountOfService(account))
}

/** Describes an account that only a real service knows. */
export function toAccountOfService(id: string): Account {
  return {
    id,
    name: 'A customer of the service',
    email: `${id}@example.com`,
    plan: 'pro_plus',
  }
}

export function toKeyError(exchange: Exchange, found: KeyRejection): ApiError {
  const { world, request, secret } = exchange
  if (found.isMissing || secret === undefined)
    return new ApiError(
      exchange.assume('auth.missing-code'),
      errors.missing_api_key.message,
      401,
    ).because(explainMissingKey(headerOf(request, 'authorization'), secret, found.scenario))
  return new ApiError('invalid_api_key').because(explainRejectedKey(world, secret, found))
}

export function requireScope(
  exchange: Exchange,
  { key, narrowedBy }: Caller,
  scope: Scope | 'any',
): void {
  if (!hasScope(key, scope))
    throw new ApiError('insufficient_permissions', `The API key lacks the scope ${scope}.`).because(
      explainScope(exchange.world, key, scope, narrowedBy),
    )
}

/** Why the key of a request leads to no caller. */
interface KeyRejection {
  readonly key?: undefined
  /** True if there is no key, or a scenario removed it. */
  readonly isMissing?: boolean
  /** The end of a sentence about the key: `is revoked`. Absent for one that the world does not know. */
  readonly reason?: string
  /** The name of the scenario that caused it. */
  readonly scenario?: string
}

/**
 * Returns whose request it is, by the records of the world. @param secret `undefined` if the
 * request has no readable key. @param accepted the key, if a real service accepted it.
 */
export function findCaller(
  exchange: Exchange,
  secret: string | undefined,
  accepted?: Readonly<Key>,
): Caller | KeyRejection {
  const key = findKey(exchange.world, secret) ?? accepted
  if (!key) return rejectUnknownKey(exchange, secret)
  return judgeKey(exchange, key, exchange.world.collection(accounts).get(key.account))
}

/** Of a key that the world does not know, a scenario can change nothing, but it can remove it. */
function rejectUnknownKey(exchange: Exchange, secret: string | undefined): KeyRejection {
  const effect = exchange.effects.for('keyChange').find(({ keyChange }) => keyChange === 'lost')
  if (!effect) return { isMissing: secret === undefined }
  if (secret !== undefined) exchange.fire(effect)
  return {
    isMissing: true,
    scenario: effect.scenario,
  }
}

/** Lets the scenarios change a key, once, and checks what they left. */
export function judgeKey(
  exchange: Exchange,
  stored: Readonly<Key>,
  account: Readonly<Account> | undefined,
): Caller | KeyRejection {
  const changed = changeKey(exchange, withImpliedScopes(stored))
  if (!changed.key) return changed
  // The key that is left must be valid now, and belong to an account.
  const { key, narrowedBy } = changed
  const reason = invalidityOf(key, exchange.now)
  if (reason !== undefined) return { reason }
  if (!account) return { reason: `belongs to the account ${stored.account}, which does not exist` }
  // The plan sets the limits, and a scenario may put the account on another one.
  const plan = planUnder(exchange, account)
  return {
    key,
    account,
    plan,
    limits: planOf(exchange.world, plan),
    narrowedBy,
  }
}

interface ChangedKey {
  readonly key: Readonly<Key>
  /** The scenario that took the operation's scope from the key. */
  readonly narrowedBy: string | undefined
}

/**
 * Lets each scenario change what the one before left. The first that makes the key invalid is the
 * reason of the reply. A later one can still remove a key, but not one that is unknown by then.
 */
function changeKey(exchange: Exchange, stored: Readonly<Key>): ChangedKey | KeyRejection {
  const { now, operation } = exchange
  let key = stored
  let rejection: KeyRejection | undefined
  let narrowedBy: string | undefined
  for (const effect of exchange.effects.for('keyChange')) {
    const { keyChange, scenario } = effect
    const changed = typeof keyChange === 'string' ? keyChange : keyChange(key, now)
    if (changed === key) continue
    exchange.fire(effect)
    if (changed === 'lost')
      return {
        isMissing: true,
        scenario,
      }
    // A key that was invalid before for the same reason is none that this scenario broke.
    const reason = changed === 'unknown' ? 'is unknown' : invalidityOf(changed, now)
    if (reason !== undefined && reason !== invalidityOf(key, now))
      rejection ??= { reason, scenario }
    if (changed === 'unknown') break
    if (operation && hasScope(key, operation.scope) && !hasScope(changed, operation.scope))
      narrowedBy = scenario
    key = changed
  }
  return rejection ?? { key, narrowedBy }
}

function planUnder(exchange: Exchange, account: Readonly<Account>): PlanName {
  let { plan } = account
  for (const effect of exchange.effects.for('changePlan')) {
    const changed = effect.changePlan(account)
    if (changed === plan) continue
    exchange.fire(effect)
    plan = changed
  }
  return plan
}

/** Most requests have one of few keys, so its implied scopes are added once. */
const effective = new WeakMap<Readonly<Key>, Readonly<Key>>()

function withImpliedScopes(stored: Readonly<Key>): Readonly<Key> {
  if (!stored.scopes) return stored
  const { scopes } = stored
  return cached(effective, stored, (key) => ({ ...key, scopes: [...addImpliedScopes(scopes)] }))
}

function hasScope({ scopes }: Readonly<Key>, scope: Scope | 'any'): boolean {
  return !scopes || scope === 'any' || scopes.includes(scope)
}

function invalidityOf({ revoked, expires_at }: Readonly<Key>, now: number): string | undefined {
  if (revoked) return 'is revoked'
  if (expires_at === undefined || toTimestamp(expires_at) > now) return undefined
  return `expired at ${expires_at}`
}
