import { accounts, keys } from '../accounts/accounts.ts'
import type { Verdict } from '../journal/verdict.ts'
import type { LayerEffect } from '../world/layer.ts'
import type { Effect, Exchange, MatchedEffects, Sender, Step } from './exchange.ts'

/** Follows the reason of an effect that may act, until it has changed something. */
const unchanged = ', and there was nothing to change'

/** Notes that an effect changed something. */
export function noteFired(verdicts: readonly Verdict[], { scenario, id }: LayerEffect): void {
  const verdict = verdicts.find((verdict) => verdict.scenario === scenario && verdict.effect === id)
  if (!verdict || verdict.fired) return
  verdict.fired = true
  verdict.why = verdict.why.slice(0, -unchanged.length)
}

/** Whether an effect changed something. */
export function hasFired(verdicts: readonly Verdict[], { scenario, id }: LayerEffect): boolean {
  return verdicts.some((verdict) => verdict.fired && verdict.scenario === scenario && verdict.effect === id)
}

const steps: readonly Step[] = ['key', 'plan', 'limiter', 'collection', 'respond', 'malform', 'charge', 'distort']

const none: readonly Effect[] = []

/** Makes a table of effects by the step that they act at. */
function toTable(all: readonly Effect[]): MatchedEffects {
  const table = new Map<Step, Effect[]>()
  for (const effect of all)
    for (const step of steps) {
      if (effect[step] === undefined) continue
      const known = table.get(step)
      if (known) known.push(effect)
      else table.set(step, [effect])
    }
  return { all, for: (step) => (table.get(step) ?? none) as never }
}

/** Nothing acts on the request. */
export const noEffects: MatchedEffects = toTable(none)

/**
 * Decides which effects act on a request. It is done at once as the request arrives, so that counters and chance follow
 * the order of arrival whatever happens to run at the same time.
 */
export function matchEffects(exchange: Exchange): MatchedEffects {
  // What lies over a world is made by scenarios, whose effects have the steps of requests too.
  const effects = exchange.overlay.effects as readonly Effect[]
  if (effects.length === 0) return noEffects
  let sender = findSender(exchange)
  const matched: Effect[] = []
  for (const effect of effects) {
    const decision = effect.decide?.(exchange, sender) ?? { due: true, why: 'always' }
    exchange.verdicts.push({
      scenario: effect.scenario,
      effect: effect.id,
      fired: false,
      why: decision.due ? decision.why + unchanged : decision.why,
    })
    if (!decision.due) continue
    matched.push(effect)
    if (effect.plan && sender) sender = { ...sender, account: { ...sender.account, plan: effect.plan(sender.account) } }
  }
  return toTable(matched)
}

function findSender({ world, secret }: Exchange): Sender | undefined {
  const key = secret === undefined ? undefined : world.collection(keys).get(secret)
  const account = key && world.collection(accounts).get(key.account)
  return account && { key, account }
}
