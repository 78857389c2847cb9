import { accounts, keys } from '../accounts/accounts.ts'
import type { Effect, Sender } from './effect.ts'
import type { Exchange } from '../pipeline/exchange.ts'

/** What an effect decided about a request, and whether it then changed anything. */
export interface Verdict {
  readonly scenario: string
  /** Which one of the scenario's effects: `fault.0`. */
  readonly effect: string
  fired: boolean
  /** Why it fired or did not. */
  why: string
}

/** Follows the reason of an effect that may act, until it has changed something. */
const unchanged = ', and there was nothing to change'

/** Notes that an effect changed something. */
export function noteFired(verdicts: readonly Verdict[], { scenario, id }: Effect): void {
  const verdict = verdicts.find((verdict) => verdict.scenario === scenario && verdict.effect === id)
  if (!verdict || verdict.fired) return
  verdict.fired = true
  verdict.why = verdict.why.slice(0, -unchanged.length)
}

/** Whether an effect changed something. */
export function hasFired(verdicts: readonly Verdict[], { scenario, id }: Effect): boolean {
  return verdicts.some((verdict) => verdict.fired && verdict.scenario === scenario && verdict.effect === id)
}

/** The effects that act on one request, by the step that they act at. */
export class Due {
  readonly #effects: readonly Effect[]

  constructor(effects: readonly Effect[]) {
    this.#effects = effects
  }

  /** All of them, in the order of their activation. */
  get effects(): readonly Effect[] {
    return this.#effects
  }

  /** Those that do something at a step, in the order of their activation. */
  at<Step extends keyof Effect>(step: Step): (Effect & Required<Pick<Effect, Step>>)[] {
    return this.#effects.filter((effect) => effect[step] !== undefined) as never
  }
}

/** Nothing acts on the request. */
export const nothingDue = new Due([])

/**
 * Decides which effects act on a request. It is done at once as the request arrives, so that counters and chance follow
 * the order of arrival whatever happens to run at the same time.
 */
export function decideDue(exchange: Exchange): Due {
  let sender = findSender(exchange)
  const due: Effect[] = []
  for (const effect of exchange.overlay.effects) {
    const decision = effect.decide?.(exchange, sender) ?? { due: true, why: 'always' }
    exchange.verdicts.push({ scenario: effect.scenario, effect: effect.id, fired: false, why: decision.due ? decision.why + unchanged : decision.why })
    if (!decision.due) continue
    due.push(effect)
    if (effect.plan && sender) sender = { ...sender, account: { ...sender.account, plan: effect.plan(sender.account) } }
  }
  return new Due(due)
}

function findSender({ world, secret }: Exchange): Sender | undefined {
  const key = secret === undefined ? undefined : world.collection(keys).get(secret)
  const account = key && world.collection(accounts).get(key.account)
  return account && { key, account }
}
