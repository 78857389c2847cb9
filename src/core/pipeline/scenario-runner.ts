import { accounts, keys } from '../accounts/accounts.ts'
import { toJson } from '../http/json.ts'
import { byteLength, type Outcome, type Reply } from '../http/reply.ts'
import type { Verdict } from '../journal/journal-record.ts'
import { textSize } from '../store/data-memory.ts'
import type { EffectiveSettings } from '../world/effective-settings.ts'
import {
  type Effect,
  type EffectDecision,
  effectSteps,
  type EffectStep,
  type Endpoint,
  type Exchange,
  type MalformedResult,
  type MatchedEffects,
  noEffects,
  type PresumedCaller,
  type ScenarioRunner,
  type Verdicts,
} from './exchange.ts'

export function createScenarioRunner(): ScenarioRunner {
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
  const { effects, effectiveSettings, verdicts, explanation } = exchange
  if (verdicts.fired === 0) return
  let sentence = ''
  for (const effect of effects.all) {
    const { scenario, act, key, limiter, charge } = effect
    if (act === undefined || !verdicts.hasFired(effectiveSettings.effects.indexOf(effect))) continue
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

/** The bytes to cache over all worlds, and for one result. */
const max = 2 ** 22
const maxOfOne = 2 ** 19

interface CachedResult extends MalformedResult {
  readonly operation: Endpoint | undefined
  /** Identifies the effects without keeping them alive. */
  readonly by: object
  readonly bytes: number
}

/** Up to 4 MiB over all worlds, then it drops the oldest: the same effects always change a result alike. */
class MalformedReplies {
  readonly #cache = new Map<object, CachedResult>()
  #bytes = 0

  get(exchange: Exchange, { body, text: plain }: Outcome): MalformedResult {
    const { effects, operation } = exchange
    const malforming = effects.for('malform')
    const canKeep =
      plain !== undefined && typeof body === 'object' && body !== null && malforming.every((one) => one.isCacheable)
    if (!canKeep) return malform(exchange, body, plain)
    const by = effects.identity
    const known = this.#cache.get(body)
    if (known?.by === by && known.operation === operation) return known
    const made = malform(exchange, body, plain)
    // The plain body is the key, and takes about twice the memory of its text.
    const bytes = textSize(made.text) + 3 * textSize(plain) + 300
    if (known) this.#forget(body, known)
    if (bytes <= maxOfOne) {
      this.#cache.set(body, { ...made, operation, by, bytes })
      this.#bytes += bytes
      for (const [oldest, cached] of this.#cache) {
        if (this.#bytes <= max) break
        this.#forget(oldest, cached)
      }
    }
    return made
  }

  #forget(body: object, { bytes }: CachedResult): void {
    this.#cache.delete(body)
    this.#bytes -= bytes
  }
}

function malform(exchange: Exchange, body: unknown, plain: string | undefined): MalformedResult {
  const changedBy: number[] = []
  let result = body
  for (const [index, effect] of exchange.effects.for('malform').entries()) {
    const malformed = effect.malform(exchange, result)
    if (malformed !== result) changedBy.push(index)
    result = malformed
  }
  const text = result === body && plain !== undefined ? plain : toJson(result)
  return { text, length: byteLength(text), changedBy }
}

const none: readonly Effect[] = []

function toTable(all: readonly Effect[]): MatchedEffects {
  const table = new Map<EffectStep, Effect[]>()
  for (const effect of all)
    for (const step of effectSteps) {
      if (effect[step] === undefined) continue
      const known = table.get(step)
      if (known) known.push(effect)
      else table.set(step, [effect])
    }
  return { identity: {}, all, for: (step) => (table.get(step) ?? none) as never }
}

const always: EffectDecision = { due: true, why: 'always' }

/** Runs when the request arrives, so counters and random draws follow the order of arrival. */
function matchEffects(exchange: Exchange): { effects: MatchedEffects; verdicts: Verdicts } {
  const { effectiveSettings } = exchange
  // Only scenarios create these effects, so they have the steps of requests.
  const effects = effectiveSettings.effects as readonly Effect[]
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
  return {
    effects: tableOf(effectiveSettings, matched),
    verdicts: new EffectVerdicts(effectiveSettings.names, decisions),
  }
}

const maxTables = 64

function tableOf({ effects, matched: tables }: EffectiveSettings, matched: readonly number[]): MatchedEffects {
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

type EffectName = EffectiveSettings['names'][number]

const maxBits = 30

const unchanged = ', but there was nothing to change'

/** Verdicts from decisions. The journal keeps them, so they hold the names of effects and not the effects. */
class EffectVerdicts implements Verdicts {
  readonly #names: readonly EffectName[]
  readonly #decisions: readonly EffectDecision[]
  /** The indexes of the effects that changed something, in that order. */
  #fired: readonly number[] = []

  constructor(names: readonly EffectName[], decisions: readonly EffectDecision[]) {
    this.#names = names
    this.#decisions = decisions
  }

  get size(): number {
    return this.#decisions.length
  }

  get fired(): number {
    return this.#fired.length
  }

  get bits(): number {
    if (this.#decisions.length > maxBits) return -1
    let bits = 0
    for (const index of this.#fired) bits |= 1 << index
    return bits
  }

  fire(index: number): void {
    if (index >= 0 && index < this.#decisions.length && !this.#fired.includes(index))
      // The first `push` makes room for 17, and the journal keeps it.
      this.#fired = [...this.#fired, index]
  }

  hasFired(index: number): boolean {
    return this.#fired.includes(index)
  }

  hasActed(scenario: string): boolean {
    for (const index of this.#fired) if (this.#names[index]!.scenario === scenario) return true
    return false
  }

  acted(): string[] {
    const indexes = this.#fired.toSorted((one, other) => one - other)
    return [...new Set(indexes.map((index) => this.#names[index]!.scenario))]
  }

  actedKinds(): string[] {
    return this.#fired.map((index) => this.#names[index]!).map(({ id, kind }) => kind ?? id.slice(0, id.indexOf('.')))
  }

  read(): Verdict[] {
    return this.#decisions.map(({ due, why, count = 0 }, index) => {
      const { scenario, id } = this.#names[index]!
      const fired = this.#fired.includes(index)
      const reason = typeof why === 'string' ? why : why(count)
      return { scenario, effect: id, fired, why: due && !fired ? reason + unchanged : reason }
    })
  }
}
