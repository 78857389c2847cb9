import { accounts, findKey } from '../accounts/accounts.ts'
import { cached } from '../contract/cache.ts'
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
  /** The indexes of the effects that changed it, among those with a step `malform`. */
  readonly changedBy: readonly number[]
}

/** Lets the scenario that was switched on last respond. */
export function respond(exchange: Exchange): Reply | undefined {
  const effects = exchange.effects.for('respond')
  // Nothing is allocated for the requests that no scenario answers.
  if (effects.length === 0) return undefined
  for (const effect of effects.toReversed()) {
    const reply = effect.respond(exchange)
    if (!reply) continue
    exchange.fire(effect)
    return reply
  }
  return undefined
}

/** Lets scenarios change the finished reply. */
export function transformReply(exchange: Exchange, reply: Reply): Reply {
  let transformed = reply
  for (const effect of exchange.effects.for('transformReply')) {
    const next = effect.transformReply(exchange, transformed)
    if (next === transformed) continue
    exchange.fire(effect)
    // An effect that changes the body does not update the length, so the length is dropped.
    transformed = next.body === transformed.body ? next : { ...next, length: undefined }
  }
  return transformed
}

/** Adds to the reason of the reply what scenarios did. */
export function explainScenarios(exchange: Exchange): void {
  const { effects, effectiveSettings, verdicts, explanation, note = '' } = exchange
  let sentence = note
  for (const effect of effects.all) {
    const { scenario, did, keyChange, quota, charge } = effect
    if (did === undefined || !verdicts.hasFired(effectiveSettings.effects.indexOf(effect))) continue
    // The explanation of an error that such an effect causes names the scenario itself.
    if (explanation !== undefined && (keyChange ?? quota ?? charge)) continue
    if (sentence !== '') sentence += ', '
    sentence += `scenario ${scenario} ${typeof did === 'function' ? did(exchange) : did}`
  }
  if (sentence === '') return
  if (explanation === undefined) exchange.explanation = sentence
  else exchange.explanation = (show) => `${showExplanation(explanation, show)}; ${sentence}`
}

/**
 * The last malformed result by the body that it was made of. It is freed with that body, and is
 * about as large: a client cannot fill the memory.
 */
const malformedResults = new WeakMap<
  object,
  MalformedResult & {
    readonly operation: Operation | undefined
    readonly identity: object
  }
>()

/**
 * Lets scenarios change a result. Cacheable effects change equal results alike, so what they made
 * is used again: to malform a list of plants takes as long as to answer with it.
 */
export function malformCached(exchange: Exchange, { body, text: plain }: Outcome): MalformedResult {
  const { effects, operation } = exchange
  const canKeep =
    plain !== undefined &&
    typeof body === 'object' &&
    body !== null &&
    effects.for('malform').every((effect) => effect.isCacheable)
  if (!canKeep) return applyMalformations(exchange, body, plain)
  const { identity } = effects
  const cached = malformedResults.get(body)
  if (cached?.identity === identity && cached.operation === operation) return cached
  const malformed = {
    ...applyMalformations(exchange, body, plain),
    operation,
    identity,
  }
  malformedResults.set(body, malformed)
  return malformed
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

const always: EffectDecision = {
  due: true,
  why: 'always',
}

/**
 * Decides which effects act on a request, and lets those of them begin that act on its arrival,
 * such as a delay. So counters and random draws follow the order of arrival.
 */
export function matchEffects(exchange: Exchange, operation: Operation | undefined): void {
  exchange.operation = operation
  exchange.areEffectsMatched = true
  const { effectiveSettings } = exchange
  if (effectiveSettings.effects.length === 0) return
  // These effects come from scenarios only, so they have the steps of requests.
  const effects = effectiveSettings.effects as readonly Effect[]
  const sender = new Sender(exchange)
  // The journal keeps the list: `map` allocates no more than it needs, as `push` would.
  const decisions = effects.map((effect): EffectDecision => {
    const decision = effect.decide?.(exchange, sender.find) ?? always
    if (decision.due && effect.changePlan !== undefined) sender.changePlan(effect.changePlan)
    return decision
  })
  const matched = decisions.flatMap(({ due }, index) => (due ? [index] : []))
  exchange.effects = matchedEffectsOf(effectiveSettings, matched)
  exchange.verdicts = new Verdicts(effectiveSettings.effectNames, decisions)
}

/** Finds the caller of a request once, and only if an effect asks for it. */
class Sender {
  #exchange: Exchange
  #found: { readonly caller: PresumedCaller | undefined } | undefined

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  readonly find = () => (this.#found ??= { caller: findSender(this.#exchange) }).caller

  /** Effects after one that changes the plan see the caller on the new plan. */
  changePlan(planOf: NonNullable<Effect['changePlan']>): void {
    const caller = this.find()
    if (!caller) return
    const account = {
      ...caller.account,
      plan: planOf(caller.account),
    }
    this.#found = { caller: { ...caller, account } }
  }
}

/** The most effects whose indexes fit into the bits of a small integer. */
const maxCachedEffects = 30

/** The most combinations of effects that the settings remember. */
const maxCachedMatches = 64

/** Returns the effects that act together; most requests share an object with earlier ones. */
function matchedEffectsOf(
  { effects, matchedByBits: cache }: EffectiveSettings,
  matched: readonly number[],
): MatchedEffects {
  const create = () => new MatchedEffects(matched.map((index) => effects[index] as Effect))
  if (effects.length > maxCachedEffects) return create()
  let bits = 0
  for (const index of matched) bits |= 1 << index
  return cached(cache, bits, create, maxCachedMatches) as MatchedEffects
}

function findSender({ world, secret }: Exchange): PresumedCaller | undefined {
  const key = findKey(world, secret)
  const account = key && world.collection(accounts).get(key.account)
  return account && { key, account }
}
