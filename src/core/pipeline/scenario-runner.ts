import { accounts, findKey } from '../accounts/accounts.ts'
import { showExplanation } from '../contract/errors.ts'
import { toJson } from '../http/json.ts'
import { byteLength, type Outcome, type Reply } from '../http/reply.ts'
import { type EffectDecision, Verdicts } from '../journal/journal-record.ts'
import type { EffectiveSettings } from '../world/effective-settings.ts'
import { type Effect, MatchedEffects, type PresumedCaller } from './effect.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'

/** The result of an operation, as scenarios changed it. */
export interface MalformedResult {
  readonly text: string
  readonly length: number
  /** The effects that changed it, by their places among those that may. */
  readonly changedBy: readonly number[]
}

/** Lets scenarios change the finished reply. */
export function transformReply(exchange: Exchange, reply: Reply): Reply {
  let transformed = reply
  for (const effect of exchange.effects.for('transformReply')) {
    const next = effect.transformReply(exchange, transformed)
    if (next === transformed) continue
    exchange.fire(effect)
    // An effect that changes the body does not update the length, so that is dropped.
    if (next.length !== undefined && next.body !== transformed.body)
      transformed = { ...next, length: undefined }
    else transformed = next
  }
  return transformed
}

/** Adds to the reason of the reply what scenarios did. */
export function explainScenarios(exchange: Exchange): void {
  const { effects, effectiveSettings, verdicts, explanation, note = '' } = exchange
  let sentence = note
  for (const effect of effects.all) {
    const { scenario, act, key, quota, charge } = effect
    if (act === undefined || !verdicts.hasFired(effectiveSettings.effects.indexOf(effect))) continue
    // An error that these cause names the scenario itself.
    if (explanation !== undefined && (key ?? quota ?? charge)) continue
    if (sentence !== '') sentence += ', '
    sentence += `scenario ${scenario} ${typeof act === 'function' ? act(exchange) : act}`
  }
  if (sentence === '') return
  if (explanation === undefined) exchange.explanation = sentence
  else exchange.explanation = (show) => `${showExplanation(explanation, show)}; ${sentence}`
}

/**
 * The last result made of each plain one. It goes with that one and takes as much, whatever a
 * client sends.
 */
const kept = new WeakMap<
  object,
  MalformedResult & { readonly operation: Operation | undefined; readonly by: object }
>()

/**
 * The same effects always change a result alike: a list of plants takes as long to malform as to
 * answer.
 */
export function malformOnce(exchange: Exchange, { body, text: plain }: Outcome): MalformedResult {
  const { effects, operation } = exchange
  const canKeep =
    plain !== undefined &&
    typeof body === 'object' &&
    body !== null &&
    effects.for('malform').every((one) => one.isCacheable)
  if (!canKeep) return applyMalformations(exchange, body, plain)
  const by = effects.identity
  const known = kept.get(body)
  if (known?.by === by && known.operation === operation) return known
  const made = {
    ...applyMalformations(exchange, body, plain),
    operation,
    by,
  }
  kept.set(body, made)
  return made
}

function applyMalformations(
  exchange: Exchange,
  body: unknown,
  plain: string | undefined,
): MalformedResult {
  const changedBy: number[] = []
  let result = body
  for (const [index, effect] of exchange.effects.for('malform').entries()) {
    const malformed = effect.malform(exchange, result)
    if (malformed !== result) changedBy.push(index)
    result = malformed
  }
  const text = result === body && plain !== undefined ? plain : toJson(result)
  return {
    text,
    length: byteLength(text),
    changedBy,
  }
}

const always: EffectDecision = { due: true, why: 'always' }

/**
 * Decides which effects act on a request, and lets those of them begin that act on its arrival,
 * such as a delay. So counters and random draws follow the order of arrival.
 */
export function arrive(exchange: Exchange, operation: Operation | undefined): void {
  exchange.operation = operation
  exchange.hasArrived = true
  const { effectiveSettings } = exchange
  if (effectiveSettings.effects.length === 0) return
  // These effects come from scenarios only, so they have the steps of requests.
  const effects = effectiveSettings.effects as readonly Effect[]
  const sender = new Sender(exchange)
  // `map` makes a list of just this length, which the journal keeps.
  const decisions = effects.map((effect): EffectDecision => {
    const decision = effect.decide?.(exchange, sender.find) ?? always
    if (decision.due && effect.plan !== undefined) sender.move(effect.plan)
    return decision
  })
  const matched = [...decisions.keys()].filter((index) => decisions[index]?.due)
  exchange.effects = tableOf(effectiveSettings, matched)
  exchange.verdicts = new Verdicts(effectiveSettings.names, decisions)
}

/** The caller of a request, who is looked up once, and only if an effect asks. */
class Sender {
  #exchange: Exchange
  #found: { readonly caller: PresumedCaller | undefined } | undefined

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  readonly find = () => (this.#found ??= { caller: findSender(this.#exchange) }).caller

  /** Effects after one that changes the plan see the caller on that plan. */
  move(planOf: NonNullable<Effect['plan']>): void {
    const caller = this.find()
    if (!caller) return
    const account = { ...caller.account, plan: planOf(caller.account) }
    this.#found = { caller: { ...caller, account } }
  }
}

/** The most effects whose indexes fit into the bits of an integer. */
const maxBits = 30

const maxTables = 64

function tableOf(
  { effects, matched: tables }: EffectiveSettings,
  matched: readonly number[],
): MatchedEffects {
  const create = () => new MatchedEffects(matched.map((index) => effects[index] as Effect))
  if (effects.length > maxBits) return create()
  let bits = 0
  for (const index of matched) bits |= 1 << index
  const known = tables.get(bits) as MatchedEffects | undefined
  if (known) return known
  const table = create()
  if (tables.size >= maxTables) tables.clear()
  tables.set(bits, table)
  return table
}

function findSender({ world, secret }: Exchange): PresumedCaller | undefined {
  const key = findKey(world, secret)
  const account = key && world.collection(accounts).get(key.account)
  return account && { key, account }
}
