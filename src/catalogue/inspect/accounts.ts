import { assumptionValue } from '../../core/contract/assumptions.ts'
import { givenOf } from '../../core/contract/options.ts'
import {
  type Account,
  accounts,
  isPlainFixtureKey,
  keys,
  nameKey,
  planOf,
} from '../../core/accounts/accounts.ts'
import {
  type Limiter,
  type Spender,
  budgetOfKey,
  type WindowName,
  type WindowState,
} from '../../core/accounts/rate-limit.ts'
import type { Effect, PreviewedCaller } from '../../core/pipeline/effect.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'

/** The holder of a quota: an account, or one of its keys. */
interface QuotaHolder extends PreviewedCaller {
  readonly secret: string | undefined
  readonly budget: string
}

export function quotaHoldersOf(world: LiveWorld, account: Readonly<Account>): QuotaHolder[] {
  const { id } = account
  const stored = world.collection(keys)
  if (assumptionValue(world.effectiveSettings, 'rate-limit.scope') !== 'key')
    return [
      {
        account,
        secret: undefined,
        budget: id,
        hasKey: (secret) => stored.get(secret)?.account === id,
      },
    ]
  return secretsOf(world, id).map((secret) => ({
    account,
    secret,
    budget: budgetOfKey(secret),
    hasKey: (other) => other === secret,
  }))
}

export function quotaOf(world: LiveWorld, holder: QuotaHolder) {
  const { account, secret } = holder
  const { spender, effects, planner } = previewEffects(world, holder)
  let { limiter } = world.state
  let scenario = planner
  for (const effect of effects) {
    if (!effect.quota) continue
    limiter = effect.quota.previewFor(spender, limiter)
    scenario = effect.scenario
  }
  const { minute, day } = limiter.preview(spender, world.clock.now())
  return {
    account: account.id,
    key: secret === undefined ? null : nameKey(world, secret),
    plan: account.plan,
    minute: toWindow(minute),
    day: toWindow(day),
    scenario: scenario ?? null,
  }
}

function toWindow({ limit, remaining, resetAt }: WindowState) {
  return {
    limit,
    used: limit - remaining,
    remaining,
    resets_at: toIso(resetAt),
  }
}

function secretsOf(world: LiveWorld, account: string): string[] {
  const owned = world.collection(keys).ownedBy(account).oldest()
  return owned.map(({ secret }) => secret)
}

export function refillQuota(
  world: LiveWorld,
  account: Readonly<Account>,
  window?: WindowName,
): void {
  world.recordChange({
    refill: {
      account: account.id,
      window,
    },
  })
  // Starts the counters of active scenarios first, so that the refill applies to them too.
  for (const holder of quotaHoldersOf(world, account)) startCounters(world, holder)
  for (const budget of [account.id, ...secretsOf(world, account.id).map(budgetOfKey)]) {
    world.state.limiter.refill(budget, window)
    for (const effect of world.effectiveSettings.effects as readonly Effect[])
      effect.quota?.refill(budget, window)
  }
}

/**
 * Starts the counters of active scenarios, as the next request would: what they leave of the budget
 * is fixed from now on.
 */
function startCounters(world: LiveWorld, holder: QuotaHolder) {
  const { spender, effects } = previewEffects(world, holder)
  let limiter: Limiter = world.state.limiter
  for (const { quota } of effects) if (quota) limiter = quota.limiterFor(spender, limiter)
}

function previewEffects(world: LiveWorld, { account, hasKey, budget }: QuotaHolder) {
  let plan = account.plan
  let planner: string | undefined
  const effects: Effect[] = []
  for (const effect of world.effectiveSettings.effects as readonly Effect[]) {
    if (
      effect.wouldAct?.({
        account: { ...account, plan },
        hasKey,
      }) === false
    )
      continue
    effects.push(effect)
    const next = effect.changePlan?.(account) ?? plan
    if (next !== plan) planner = effect.scenario
    plan = next
  }
  const kind = assumptionValue(world.effectiveSettings, 'rate-limit.window')
  return {
    spender: {
      budgetId: budget,
      limits: planOf(world, plan),
      kind,
    } satisfies Spender,
    effects,
    planner,
  }
}

/**
 * Describes the keys that may be shown: those of plain words from the fixtures.
 * @param targets the real service, if one answers: the keys are its
 */
export function describeKeys(world: LiveWorld, targets: object | undefined) {
  const all = targets ? [] : world.collection(keys).all()
  const shown = all.filter(({ secret }) => isPlainFixtureKey(world, secret))
  const described = shown.map(({ secret, account, expires_at, revoked, scopes }) => {
    const plan = world.collection(accounts).get(account)?.plan
    const expiry = expires_at && `expires ${expires_at}`
    const note = revoked ? 'revoked' : (expiry ?? scopes?.join(' '))
    return [
      secret,
      givenOf({
        plan,
        account,
        note: note || undefined,
      }),
    ] as const
  })
  return Object.fromEntries(described)
}
