import { accounts, keys } from '../accounts/accounts.ts'
import type { Overlay } from '../world/overlay.ts'
import type { EffectDecision } from './decision.ts'
import type { Effect, Exchange, MatchedEffects, PresumedCaller, EffectStep } from './exchange.ts'
import { noEffects, noVerdicts } from './no-effects.ts'
import { EffectVerdicts, maxBits, type Verdicts } from './verdicts.ts'

const steps: readonly EffectStep[] = [
  'key',
  'plan',
  'limiter',
  'collection',
  'respond',
  'malform',
  'charge',
  'transformReply',
]

const none: readonly Effect[] = []

function toTable(all: readonly Effect[]): MatchedEffects {
  const table = new Map<EffectStep, Effect[]>()
  for (const effect of all)
    for (const step of steps) {
      if (effect[step] === undefined) continue
      const known = table.get(step)
      if (known) known.push(effect)
      else table.set(step, [effect])
    }
  return { identity: {}, all, for: (step) => (table.get(step) ?? none) as never }
}

const nothingMatched = { effects: noEffects, verdicts: noVerdicts }

const always: EffectDecision = { due: true, why: 'always' }

/**
 * Decides which effects act on a request. It runs synchronously when the request arrives, so counters and random draws
 * follow the order of arrival.
 */
export function matchEffects(exchange: Exchange): { effects: MatchedEffects; verdicts: Verdicts } {
  const { overlay } = exchange
  // Only scenarios create these effects, so they have the steps of requests.
  const effects = overlay.effects as readonly Effect[]
  if (effects.length === 0) return nothingMatched
  let found: { readonly sender: PresumedCaller | undefined } | undefined
  const sender = () => (found ??= { sender: findSender(exchange) }).sender
  const matched: number[] = []
  // `map` makes a list of just this length, which the journal keeps.
  const decisions = effects.map((effect, index): EffectDecision => {
    const decision = effect.decide?.(exchange, sender) ?? always
    if (!decision.due) return decision
    matched.push(index)
    if (effect.plan === undefined) return decision
    const known = sender()
    if (known) found = { sender: { ...known, account: { ...known.account, plan: effect.plan(known.account) } } }
    return decision
  })
  return { effects: tableOf(overlay, matched), verdicts: new EffectVerdicts(overlay.names, decisions) }
}

const maxTables = 64

function tableOf({ effects, matched: tables }: Overlay, matched: readonly number[]): MatchedEffects {
  if (matched.length === 0) return noEffects
  let bits = 0
  for (const index of matched) bits |= 1 << index
  const canKeep = effects.length <= maxBits
  let table = canKeep ? (tables.get(bits) as MatchedEffects | undefined) : undefined
  if (!table) {
    table = toTable(matched.map((index) => effects[index] as Effect))
    if (tables.size >= maxTables) tables.clear()
    if (canKeep) tables.set(bits, table)
  }
  return table
}

function findSender({ world, secret }: Exchange): PresumedCaller | undefined {
  const key = secret === undefined ? undefined : world.collection(keys).get(secret)
  const account = key && world.collection(accounts).get(key.account)
  return account && { key, account }
}
