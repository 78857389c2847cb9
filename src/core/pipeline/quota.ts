import { findCaller } from './authenticate.ts'
import type { Caller } from '../accounts/known-callers.ts'
import { toIso } from '../time/time-text.ts'
import { ApiError } from '../contract/errors.ts'
import type { Exchange } from './exchange.ts'
import { coreAssumptions } from './assumptions.ts'
import { planOf } from '../accounts/plans.ts'
import { Limiter, toKeyBudget, type Quota, type Spender, type WindowState } from '../accounts/rate-limit.ts'

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
