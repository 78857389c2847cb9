import type { Decision } from '../core/pipeline/decision.ts'
import type { Effect } from '../core/pipeline/exchange.ts'
import { toOrdinal } from '../core/definitions/ordinal.ts'
import type { Counter } from './activation.ts'
import { operationFilter, senderFilter, type Conditions } from './condition.ts'

/** What an effect acts on without `on`: on replies of operations, or on whatever is sent to the area. */
export type ActsOn = 'operations' | 'everything'

const otherOperations: Decision = { due: false, why: 'it acts on other operations' }
const otherCallers: Decision = { due: false, why: 'it acts on other callers' }

/** Makes what decides, request by request in the order of their arrival, whether an effect acts. */
export function createTrigger(conditions: Conditions, counter: Counter, acts: ActsOn): Required<Effect>['decide'] {
  const isOperationMeant = operationFilter(conditions.on)
  const isSenderMeant = senderFilter(conditions.where)
  const needsOperation = acts === 'operations' || conditions.on !== undefined
  const count = createCount(conditions, counter)
  return ({ operation }, sender) => {
    if (needsOperation && (!operation || !isOperationMeant(operation.id))) return otherOperations
    return isSenderMeant(sender) ? count() : otherCallers
  }
}

/** How often something acts on what it is meant for. */
export type Limits = Pick<Conditions, 'times' | 'after' | 'every' | 'probability'>

const acts = (count: number) => `matching request ${count}`

/** Makes what counts one thing that an effect is meant for, and decides whether it acts on it. */
export function createCount(
  { times, after = 0, every = 1, probability = 1 }: Limits,
  counter: Counter,
): () => Decision {
  // The reasons are worded when somebody reads them: most are never read.
  const passes = (count: number) =>
    `the first ${after === 1 ? 'request passes' : `${after} requests pass`}, and this is number ${count}`
  const isBetween = (count: number) =>
    `it acts on every ${toOrdinal(every)} request, and this is number ${count - after}`
  const isOver: Decision = { due: false, why: `it acts ${times === 1 ? 'once' : `${times} times`}, and already did` }
  const isSpared: Decision = {
    due: false,
    why: `chance let it pass: it acts with a probability of ${probability}`,
  }
  return () => {
    const count = ++counter.meant
    if (count <= after) return { due: false, why: passes, count }
    if ((count - after) % every !== 0) return { due: false, why: isBetween, count }
    if (times !== undefined && counter.acted >= times) return isOver
    if (probability < 1 && counter.random.next() >= probability) return isSpared
    counter.acted++
    return { due: true, why: acts, count }
  }
}
