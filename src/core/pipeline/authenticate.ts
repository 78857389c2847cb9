import {
  accounts,
  type Caller,
  isPlain,
  type Key,
  keys,
  nameKey,
  planOf,
  type Scope,
  toPermitted,
} from '../accounts/accounts.ts'
import { Limiter, type Quota, type Spender, toKeyBudget, type WindowState } from '../accounts/rate-limit.ts'
import { ApiError, errors, type Explanation } from '../contract/errors.ts'
import { toFingerprint } from '../secrets/secret-finder.ts'
import { suggest } from '../text/messages.ts'
import { toIso, toTimestamp } from '../time/time-text.ts'
import type { CoreWorld } from '../world/world.ts'
import { coreAssumptions } from './assumptions.ts'
import type { Effect, Exchange } from './exchange.ts'

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

/** Returns `undefined` for a key that is not valid, `'lost'` if a scenario drops it. */
export function findCaller(exchange: Exchange, secret: string): Caller | 'lost' | undefined {
  const { world, effects, now } = exchange
  const stored = world.collection(keys).get(secret)
  const account = stored && world.collection(accounts).get(stored.account)
  if (!account) {
    const losing = findLosing(exchange)
    if (losing) exchange.fire(losing)
    return losing && 'lost'
  }
  let key = toEffective(stored)
  for (const effect of effects.for('key')) {
    const changed = effect.key(key, now)
    if (changed !== key) exchange.fire(effect)
    if (changed === 'lost') return 'lost'
    if (changed === 'unknown') return undefined
    key = changed
  }
  if (invalidityOf(key, now) !== undefined) return undefined
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

/** Returns the effect that drops the key from the request, whatever the key is. */
function findLosing({ effects, now, secret = '' }: Exchange): Effect | undefined {
  return effects.for('key').find((effect) => effect.key({ secret, account: '' }, now) === 'lost')
}

function explainKey({ world, effects, now }: Exchange, secret: string): Explanation {
  const stored = world.collection(keys).get(secret)
  if (!stored) return () => explainUnknown(world, secret)
  const explain = (rest: string) => () => nameKey(world, secret) + rest
  let key: Readonly<Key> = stored
  for (const effect of effects.for('key')) {
    const changed = effect.key(key, now)
    if (changed === 'unknown') return explain(` is unknown, by the scenario ${effect.scenario}`)
    if (changed === 'lost') return () => `The scenario ${effect.scenario} removed the key from the request`
    const invalidity = invalidityOf(changed, now)
    if (invalidity !== undefined && invalidityOf(key, now) === undefined)
      return explain(`${invalidity}, by the scenario ${effect.scenario}`)
    key = changed
  }
  return explain(invalidityOf(key, now) ?? ` belongs to the account ${key.account}, which does not exist`)
}

function explainMissingKey(exchange: Exchange): Explanation {
  const { request, secret } = exchange
  const effect = findLosing(exchange)
  if (effect) return `The scenario ${effect.scenario} removed the key from the request`
  if (request.headers['authorization'] === undefined) return 'The request has no Authorization header'
  return secret === undefined
    ? 'The Authorization header is not "Bearer <API_KEY>"'
    : 'The scheme of the Authorization header is not written "Bearer", and auth.scheme-case is exact'
}

function explainScope(
  { world, effects, now }: Exchange,
  secret: string,
  scopes: readonly Scope[],
  scope: Scope,
): Explanation {
  const stored = world.collection(keys).get(secret)
  const revoker =
    stored && (!stored.scopes || stored.scopes.includes(scope))
      ? effects.for('key').find((effect) => lacks(effect.key(stored, now), scope))
      : undefined
  const by = revoker ? `, by the scenario ${revoker.scenario}` : ''
  return () =>
    `scope ${scope} missing: ${nameKey(world, secret)} has ${scopes.length > 0 ? scopes.join(', ') : 'none'}${by}`
}

function lacks(key: Readonly<Key> | 'unknown' | 'lost', scope: Scope): boolean {
  return typeof key === 'object' && key.scopes !== undefined && !key.scopes.includes(scope)
}

function invalidityOf({ revoked, expires_at }: Readonly<Key>, now: number): string | undefined {
  if (revoked) return ' is revoked'
  return expires_at !== undefined && toTimestamp(expires_at) <= now ? ` expired at ${expires_at}` : undefined
}

/** A plain key close to a known one is a typo and may be quoted; any other may be another service's secret. */
function explainUnknown(world: CoreWorld, secret: string): string {
  const known = world
    .initialRecordsOf(keys)
    .all()
    .map((key) => key.secret)
    .filter(isPlain)
  const suggestion = suggest(secret, known)
  const where = world.name === 'default' ? '' : ` in the world ${world.name}`
  return `${suggestion !== '' && isPlain(secret) ? secret : toFingerprint(secret)}: no such key${where}${suggestion === '' ? '' : `.${suggestion}`}`
}

export function spendQuota(exchange: Exchange, caller: Caller): void {
  if (!isLimited(exchange)) return
  const counted = exchange.assume(coreAssumptions, 'rate-limit.rejected') === 'counted'
  const spender = toSpender(exchange, caller)
  const { budget, limits, kind } = spender
  exchange.quota = limiterOf(exchange, spender).spend(budget, limits, kind, exchange.now, counted)
  if (!exchange.quota.allowed)
    throw new ApiError('rate_limit_exceeded').because(explainQuota(exchange, caller, exchange.quota))
}

function explainQuota(exchange: Exchange, { plan }: Caller, { minute, day }: Quota): () => string {
  const name = minute.remaining > 0 || (day.remaining === 0 && day.resetAt > minute.resetAt) ? 'day' : 'minute'
  const { limit, remaining, resetAt } = name === 'day' ? day : minute
  const by = nameSpender(exchange)
  return () =>
    `${name} quota of plan ${plan} spent: ${limit - remaining} of ${limit}, refills ${toIso(resetAt).replace('.000Z', 'Z')}${by}`
}

/** Names the scenario that spent the quota. A separate function: the journal keeps what is in the scope of an explanation. */
function nameSpender({ effects, effectiveSettings, verdicts }: Exchange): string {
  const spender = effects
    .for('limiter')
    .findLast((effect) => verdicts.hasFired(effectiveSettings.effects.indexOf(effect)))
  return spender ? `, by the scenario ${spender.scenario}` : ''
}

/** Whether plan limits apply: in areas that have them, and wherever a scenario counts requests. */
function isLimited(exchange: Exchange): boolean {
  return exchange.area.isRateLimited(exchange) || exchange.effects.for('limiter').length > 0
}

function toSpender(exchange: Exchange, { key, account, limits }: Caller): Spender {
  const kind = exchange.assume(coreAssumptions, 'rate-limit.window')
  const isByKey = exchange.assume(coreAssumptions, 'rate-limit.scope') === 'key'
  return { budget: isByKey ? toKeyBudget(key.secret) : account.id, limits, kind }
}

/** Adds the rate-limit headers to a reply: the quota after this request or, if it was not counted, the current one. */
export function addQuotaHeaders(exchange: Exchange, status: number, headers: Record<string, string>): void {
  if (!isLimited(exchange)) return
  const quota = exchange.quota ?? quotaOfUncounted(exchange, status)
  if (!quota) return
  const window = reportedWindow(exchange, quota)
  headers['X-RateLimit-Limit'] = String(window.limit)
  headers['X-RateLimit-Remaining'] = String(window.remaining)
  headers['X-RateLimit-Reset'] = formatReset(exchange, window.resetAt)
  if (!quota.allowed && exchange.assume(coreAssumptions, 'rate-limit.retry-after') === 'sent')
    headers['Retry-After'] = String(secondsUntil(exchange, exhaustedUntil(quota)))
}

function limiterOf(exchange: Exchange, spender: Spender): Limiter {
  let limiter = exchange.world.limiter
  for (const effect of exchange.effects.for('limiter')) {
    exchange.fire(effect)
    limiter = effect.limiter(spender, limiter)
  }
  return limiter
}

function quotaOfUncounted(exchange: Exchange, status: number): Quota | undefined {
  const kind = exchange.assume(coreAssumptions, 'rate-limit.window')
  const caller = exchange.caller ?? (exchange.secret === undefined ? undefined : findCaller(exchange, exchange.secret))
  if (caller && caller !== 'lost' && status !== 401) {
    const spender = toSpender(exchange, caller)
    return limiterOf(exchange, spender).peek(spender.budget, spender.limits, kind, exchange.now)
  }
  if (exchange.assume(coreAssumptions, 'rate-limit.unauthenticated') === 'absent') return undefined
  return new Limiter().peek('', planOf(exchange.world, 'free'), kind, exchange.now)
}

function reportedWindow(exchange: Exchange, { minute, day }: Quota): WindowState {
  const reported = exchange.assume(coreAssumptions, 'rate-limit.reported')
  if (reported === 'tightest') return day.remaining < minute.remaining ? day : minute
  return reported === 'minute' ? minute : day
}

function exhaustedUntil({ minute, day }: Quota): number {
  const full = [minute, day].filter((window) => window.remaining === 0)
  return Math.max(...full.map((window) => window.resetAt))
}

function formatReset(exchange: Exchange, at: number): string {
  switch (exchange.assume(coreAssumptions, 'rate-limit.reset-unit')) {
    case 'epoch-seconds':
      return String(Math.ceil(at / 1_000))
    case 'delta-seconds':
      return String(secondsUntil(exchange, at))
    case 'epoch-milliseconds':
      return String(Math.ceil(at))
    case 'iso-8601':
      return toIso(at)
  }
}

function secondsUntil(exchange: Exchange, at: number): number {
  return Math.max(1, Math.ceil((at - exchange.now) / 1_000))
}
