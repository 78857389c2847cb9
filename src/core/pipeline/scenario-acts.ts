import type { Outcome } from '../http/outcome.ts'
import type { Reply } from '../http/reply.ts'
import type { Exchange, MatchedEffects } from './exchange.ts'
import { MalformedReplies, type MalformedResult } from './malformed-replies.ts'
import { matchEffects } from './match-effects.ts'
import type { Verdicts } from './verdicts.ts'

/** Applies scenarios to requests. A Greenhouse without scenarios does not need it. */
export interface ScenarioActs {
  /** Decides which effects act on a request. */
  match(exchange: Exchange): { effects: MatchedEffects; verdicts: Verdicts }
  /** Applies the effects that malform to an outcome's body. */
  malform(exchange: Exchange, outcome: Outcome): MalformedResult
  /** Applies the effects that change the finished reply. */
  distort(exchange: Exchange, reply: Reply): Reply
  /** Adds the scenarios' changes to the explanation. */
  explain(exchange: Exchange): void
}

/** Creates the application of scenarios to the requests of a service. */
export function createScenarioActs(): ScenarioActs {
  const malformed = new MalformedReplies()
  return { match: matchEffects, malform: (exchange, outcome) => malformed.get(exchange, outcome), distort, explain }
}

function distort(exchange: Exchange, reply: Reply): Reply {
  let distorted = reply
  for (const effect of exchange.effects.for('distort')) {
    const next = effect.distort(exchange, distorted)
    if (next === distorted) continue
    exchange.fire(effect)
    // An effect that changes the body does not update its length.
    distorted = next.length === undefined || next.body === distorted.body ? next : { ...next, length: undefined }
  }
  return distorted
}

function explain(exchange: Exchange): void {
  const { effects, overlay, verdicts, explanation } = exchange
  if (verdicts.fired === 0) return
  let told = ''
  for (const effect of effects.all) {
    const { scenario, act } = effect
    if (act === undefined || !verdicts.hasFired(overlay.effects.indexOf(effect))) continue
    told += `${told === '' ? '' : ', '}scenario ${scenario} ${typeof act === 'function' ? act(exchange) : act}`
  }
  if (told === '') return
  if (explanation === undefined) exchange.explanation = told
  else
    exchange.explanation = (show) =>
      `${typeof explanation === 'string' ? show(explanation) : explanation(show)}; ${told}`
}
