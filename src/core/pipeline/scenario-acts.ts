import type { Outcome } from '../http/outcome.ts'
import type { Reply } from '../http/reply.ts'
import type { Exchange, MatchedEffects } from './exchange.ts'
import { MalformedReplies, type MalformedResult } from './malformed-replies.ts'
import { matchEffects } from './match-effects.ts'
import type { Verdicts } from './verdicts.ts'

export interface ScenarioActs {
  match(exchange: Exchange): { effects: MatchedEffects; verdicts: Verdicts }
  malform(exchange: Exchange, outcome: Outcome): MalformedResult
  transformReply(exchange: Exchange, reply: Reply): Reply
  explain(exchange: Exchange): void
}

export function createScenarioActs(): ScenarioActs {
  const malformed = new MalformedReplies()
  return {
    match: matchEffects,
    malform: (exchange, outcome) => malformed.get(exchange, outcome),
    transformReply,
    explain,
  }
}

function transformReply(exchange: Exchange, reply: Reply): Reply {
  let transformed = reply
  for (const effect of exchange.effects.for('transformReply')) {
    const next = effect.transformReply(exchange, transformed)
    if (next === transformed) continue
    exchange.fire(effect)
    // An effect that changes the body does not update the length, so that is dropped.
    transformed = next.length === undefined || next.body === transformed.body ? next : { ...next, length: undefined }
  }
  return transformed
}

function explain(exchange: Exchange): void {
  const { effects, overlay, verdicts, explanation } = exchange
  if (verdicts.fired === 0) return
  let sentence = ''
  for (const effect of effects.all) {
    const { scenario, act, key, limiter, charge } = effect
    if (act === undefined || !verdicts.hasFired(overlay.effects.indexOf(effect))) continue
    // An error that these cause names the scenario itself.
    if (explanation !== undefined && (key ?? limiter ?? charge)) continue
    sentence += `${sentence === '' ? '' : ', '}scenario ${scenario} ${typeof act === 'function' ? act(exchange) : act}`
  }
  if (sentence === '') return
  if (explanation === undefined) exchange.explanation = sentence
  else
    exchange.explanation = (show) =>
      `${typeof explanation === 'string' ? show(explanation) : explanation(show)}; ${sentence}`
}
