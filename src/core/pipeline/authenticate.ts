import { accounts, keys, toPermitted, type Key, type Scope } from '../accounts/accounts.ts'
import type { Caller } from '../accounts/caller.ts'
import { toTimestamp } from '../time/time-text.ts'
import { ApiError, errors } from '../definitions/errors.ts'
import type { Exchange } from './exchange.ts'
import { explainKey, explainMissingKey, explainScope } from './key-explanation.ts'
import { coreAssumptions } from './assumptions.ts'
import { planOf } from '../accounts/plans.ts'

export function authenticate(exchange: Exchange): Caller {
  const exact = exchange.assume(coreAssumptions, 'auth.scheme-case') === 'exact'
  const header = exchange.request.headers['authorization'] as string | undefined
  const caller =
    exchange.secret === undefined || (exact && !header?.startsWith('Bearer '))
      ? 'lost'
      : findCaller(exchange, exchange.secret)
  if (caller === 'lost')
    throw new ApiError(
      exchange.assume(coreAssumptions, 'auth.missing-code'),
      errors.missing_api_key.message,
      401,
    ).because(explainMissingKey(exchange))
  if (!caller) throw new ApiError('invalid_api_key').because(explainKey(exchange, exchange.secret!))
  return caller
}

export function requireScope(exchange: Exchange, { key }: Caller, scope: Scope | 'any'): void {
  if (scope !== 'any' && key.scopes && !key.scopes.includes(scope))
    throw new ApiError('insufficient_permissions', `The API key lacks the scope ${scope}.`).because(
      explainScope(exchange, key.secret, key.scopes, scope),
    )
}

/**
 * Returns the caller that a key belongs to, as changed by scenarios. `undefined` for a key that is not valid, `'lost'`
 * if a scenario drops it.
 */
export function findCaller(exchange: Exchange, secret: string): Caller | 'lost' | undefined {
  const { world, effects, now } = exchange
  const stored = world.collection(keys).get(secret)
  const account = stored && world.collection(accounts).get(stored.account)
  if (!account) return isLost(exchange, secret) ? 'lost' : undefined
  let key = toEffective(stored)
  for (const effect of effects.for('key')) {
    const changed = effect.key(key, now)
    if (changed !== key) exchange.fire(effect)
    if (changed === 'lost') return 'lost'
    if (changed === 'unknown') return undefined
    key = changed
  }
  if (!isValid(key, now)) return undefined
  let plan = account.plan
  for (const effect of effects.for('plan')) {
    const changed = effect.plan(account)
    if (changed === plan) continue
    exchange.fire(effect)
    plan = changed
  }
  return { key, account, plan, limits: planOf(world, plan) }
}

const effective = new WeakMap<Readonly<Key>, Readonly<Key>>()

function toEffective(stored: Readonly<Key>): Readonly<Key> {
  if (!stored.scopes) return stored
  let key = effective.get(stored)
  if (!key) effective.set(stored, (key = { ...stored, scopes: [...toPermitted(stored.scopes)] }))
  return key
}

function isLost(exchange: Exchange, secret: string): boolean {
  const losing = exchange.effects
    .for('key')
    .find((effect) => effect.key({ secret, account: '' }, exchange.now) === 'lost')
  if (losing) exchange.fire(losing)
  return losing !== undefined
}

function isValid(key: Readonly<Key>, now: number): boolean {
  return !key.revoked && (key.expires_at === undefined || toTimestamp(key.expires_at) > now)
}
