import { accounts, type Caller, type Key, findKey, planOf } from '../accounts/accounts.ts'
import {
  Limiter,
  type Quota,
  type Spender,
  budgetOfKey,
  type WindowName,
  type WindowState,
} from '../accounts/rate-limit.ts'
import { cached } from '../contract/cache.ts'
import { ApiError } from '../contract/errors.ts'
import { toIso } from '../time/time-text.ts'
import type { Exchange } from './exchange.ts'
import {
  findCaller,
  judgeKey,
  requireScope,
  toAccountOfService,
  toKeyError,
} from './authenticate.ts'
import { describeCause } from './explain-key.ts'

/** Counts a request. Throws 429 if the quota is spent. */
export function spendQuota(exchange: Exchange, caller: Caller): void {
  // A request that a real service could not answer was counted before it was forwarded.
  if (!isLimited(exchange) || exchange.quota !== undefined) return
  const countsRejected = exchange.assume('rate-limit.rejected') === 'counted'
  const spender = toSpender(exchange, caller)
  exchange.quota = limiterOf(exchange, spender).spend(spender, exchange.now, countsRejected)
  if (!exchange.quota.allowed)
    throw new ApiError('rate_limit_exceeded').because(
      explainQuota(caller.plan, exchange.quota, exchange.effects.for('quota').at(-1)?.scenario),
    )
}

function explainQuota(plan: string, quota: Quota, scenario: string | undefined): () => string {
  const window = spentWindowOf(quota)
  const { limit, resetAt } = quota[window]
  return () =>
    `${window} quota of plan ${plan} spent: ${limit} of ${limit}, refills ${toIso(resetAt).replace('.000Z', 'Z')}${describeCause(scenario)}`
}

/** Returns the window that is spent; of two, the one that refills last. */
function spentWindowOf({ minute, day }: Quota): WindowName {
  const isOfDay = minute.remaining > 0 || (day.remaining === 0 && day.resetAt > minute.resetAt)
  return isOfDay ? 'day' : 'minute'
}

/** Returns whether requests are counted: by the rules of the area, or because of a scenario. */
function isLimited(exchange: Exchange): boolean {
  return exchange.area.isRateLimited(exchange) || exchange.effects.for('quota').length > 0
}

function toSpender(exchange: Exchange, { key, account, limits }: Caller): Spender {
  const kind = exchange.assume('rate-limit.window')
  const isByKey = exchange.assume('rate-limit.scope') === 'key'
  return {
    budgetId: isByKey ? budgetOf(key) : account.id,
    limits,
    kind,
  }
}

const keyBudgets = new WeakMap<Readonly<Key>, string>()

/**
 * Returns the id of a key's budget. The text is kept with its key: to find a new text in a map, V8
 * first looks for an equal one among all texts.
 */
function budgetOf(key: Readonly<Key>): string {
  return cached(keyBudgets, key, ({ secret }) => budgetOfKey(secret))
}

export function addQuotaHeaders(
  exchange: Exchange,
  status: number,
  headers: Record<string, string>,
): void {
  if (!isLimited(exchange)) return
  const quota = exchange.quota ?? quotaOfUncounted(exchange, status)
  if (!quota) return
  const window = reportedWindow(exchange, quota)
  headers['X-RateLimit-Limit'] = String(window.limit)
  headers['X-RateLimit-Remaining'] = String(window.remaining)
  headers['X-RateLimit-Reset'] = formatReset(exchange, window.resetAt)
  if (!quota.allowed && exchange.assume('rate-limit.retry-after') === 'sent')
    headers['Retry-After'] = String(secondsUntil(exchange, quota[spentWindowOf(quota)].resetAt))
}

/** Returns what counts the request: the last scenario that sets quotas, or else the world. */
function limiterOf(exchange: Exchange, spender: Spender): Limiter {
  let limiter = exchange.world.state.limiter
  for (const effect of exchange.effects.for('quota')) {
    exchange.fire(effect)
    limiter = effect.quota.limiterFor(spender, limiter)
  }
  return limiter
}

/** Returns the quota that the headers of a reply show if its request was not counted. */
function quotaOfUncounted(exchange: Exchange, status: number): Quota | undefined {
  const kind = exchange.assume('rate-limit.window')
  // A reply of 401 has no caller.
  const caller =
    status === 401 ? undefined : (exchange.caller ?? findCaller(exchange, exchange.secret))
  if (caller?.key) {
    const spender = toSpender(exchange, caller)
    return limiterOf(exchange, spender).peek(spender, exchange.now)
  }
  if (exchange.assume('rate-limit.unauthenticated') === 'absent') return undefined
  // Without a caller, the headers show the full quota of the plan `free`.
  const limits = planOf(exchange.world, 'free')
  return new Limiter().peek(
    {
      budgetId: '',
      limits,
      kind,
    },
    exchange.now,
  )
}

function reportedWindow(exchange: Exchange, quota: Quota): WindowState {
  const reported = exchange.assume('rate-limit.reported')
  if (reported !== 'tightest') return quota[reported]
  if (quota.day.remaining < quota.minute.remaining) return quota.day
  return quota.minute
}

function formatReset(exchange: Exchange, at: number): string {
  switch (exchange.assume('rate-limit.reset-unit')) {
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

/**
 * Lets scenarios reject the key of a request to a real service, and count it: only that service
 * knows whether the key is valid.
 */
export function rejectByScenario(exchange: Exchange): void {
  const { effects, secret, operation } = exchange
  if (effects.for('keyChange').length === 0 && effects.for('quota').length === 0) return
  const found =
    secret === undefined ? findCaller(exchange, secret) : judgeKeyOfService(exchange, secret)
  if (found.key) {
    if (operation) requireScope(exchange, found, operation.scope)
    if (effects.for('quota').length > 0) spendQuota(exchange, found)
  } else if (found.scenario !== undefined) throw toKeyError(exchange, found)
}

/** Each key that only the service knows counts as another account. */
function judgeKeyOfService(exchange: Exchange, secret: string) {
  const { world } = exchange
  const id = findKey(world, secret)?.account ?? secret
  const account = world.collection(accounts).get(id) ?? toAccountOfService(id)
  return judgeKey(
    exchange,
    {
      secret,
      account: id,
    },
    account,
  )
}
