import { globFilter } from '../core/definitions/glob.ts'
import type { EffectDecision } from '../core/pipeline/decision.ts'
import type { Effect } from '../core/pipeline/exchange.ts'
import type { Random } from '../core/time/random.ts'
import type { Counter } from './activation.ts'
import { callerFilter, type Conditions, hypotheticalCallerFilter } from './condition.ts'

export type ActsOn = 'operations' | 'everything'

const otherOperations: EffectDecision = { due: false, why: 'it acts on other operations' }
const otherCallers: EffectDecision = { due: false, why: 'it acts on other callers' }

/** Returns a function that decides whether an effect acts on a request. Call it for each request, in order of arrival. */
export function createTrigger(conditions: Conditions, counter: Counter, actsOn: ActsOn): Required<Effect>['decide'] {
  const matchesOperation = globFilter(conditions.on)
  const matchesSender = callerFilter(conditions.where)
  const needsOperation = actsOn === 'operations' || conditions.on !== undefined
  const count = createCount(conditions, counter)
  return ({ operation }, sender) => {
    if (needsOperation && (!operation || !matchesOperation(operation.id))) return otherOperations
    return matchesSender(sender) ? count() : otherCallers
  }
}

type Limits = Pick<Conditions, 'times' | 'after' | 'every' | 'probability'>

const acts = (count: number) => `matching request ${count}`

export function createCount(limits: Limits, counter: Counter): () => EffectDecision {
  const { times, after = 0, every = 1, probability = 1 } = limits
  // Reasons are functions of the count, because most reasons are never read.
  const passes = (count: number) =>
    `the first ${after === 1 ? 'request passes' : `${after} requests pass`}, and this is number ${count}`
  const isBetween = (count: number) =>
    `it acts on every ${toOrdinal(every)} request, and this is number ${count - after}`
  const isOver: EffectDecision = {
    due: false,
    why: `it acts ${times === 1 ? 'once' : `${times} times`}, and already did`,
  }
  const skippedByChance: EffectDecision = {
    due: false,
    why: `chance let it pass: it acts with a probability of ${probability}`,
  }
  return () => {
    const count = ++counter.matched
    switch (decideMatch(count, limits, counter, counter.random)) {
      case 'passes':
        return { due: false, why: passes, count }
      case 'between':
        return { due: false, why: isBetween, count }
      case 'over':
        return isOver
      case 'skipped':
        return skippedByChance
      case 'acts':
        counter.acted++
        return { due: true, why: acts, count }
    }
  }
}

function decideMatch(
  count: number,
  { times, after = 0, every = 1, probability = 1 }: Limits,
  { acted }: Counter,
  random: Random,
): 'passes' | 'between' | 'over' | 'skipped' | 'acts' {
  if (count <= after) return 'passes'
  if ((count - after) % every !== 0) return 'between'
  if (times !== undefined && acted >= times) return 'over'
  return probability < 1 && random.next() >= probability ? 'skipped' : 'acts'
}

export function createPreview(conditions: Conditions, counter: Counter): Required<Effect>['wouldAct'] {
  const matchesCaller = hypotheticalCallerFilter(conditions.where)
  return (caller) =>
    matchesCaller(caller) && decideMatch(counter.matched + 1, conditions, counter, counter.random.fork()) === 'acts'
}

function toOrdinal(number: number): string {
  const isTeen = Math.floor((number % 100) / 10) === 1
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}
