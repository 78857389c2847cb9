import type { Decision, Effect } from '../core/pipeline/exchange.ts'
import type { Activation, Counter } from './activation.ts'
import { toOrdinal } from '../core/definitions/ordinal.ts'
import { operationFilter, senderFilter, type Conditions } from './condition.ts'

/**
 * Makes what decides, request by request in the order of their arrival, whether an effect acts.
 * @param acts on replies of operations, or on whatever is sent to the area.
 */
export function createTrigger(
  spec: Conditions,
  id: string,
  activation: Activation,
  acts: 'on operations' | 'on everything',
): Required<Pick<Effect, 'scenario' | 'id' | 'decide'>> {
  const isOperationMeant = operationFilter(spec.on)
  const isSenderMeant = senderFilter(spec.where)
  const needsOperation = acts === 'on operations' || spec.on !== undefined
  const counter = activation.counter(id)
  return {
    ...activation.name(id),
    decide({ operation }, sender) {
      if (needsOperation && (!operation || !isOperationMeant(operation.id)))
        return no('it is meant for other operations')
      if (!isSenderMeant(sender)) return no('it is meant for other callers')
      return count(spec, counter)
    },
  }
}

/** Counts one thing that an effect is meant for, and decides whether it acts on it. */
export function count({ times, after = 0, every = 1, probability = 1 }: Conditions, counter: Counter): Decision {
  counter.meant++
  const place = counter.meant - after
  if (place <= 0)
    return no(
      `the first ${after === 1 ? 'request passes' : `${after} requests pass`}, and this is number ${counter.meant}`,
    )
  if (place % every !== 0) return no(`it acts on every ${toOrdinal(every)} request, and this is number ${place}`)
  if (times !== undefined && counter.acted >= times)
    return no(`it acts ${times === 1 ? 'once' : `${times} times`}, and did`)
  if (probability < 1 && counter.random.next() >= probability)
    return no(`chance let it pass: it acts with a probability of ${probability}`)
  counter.acted++
  return { due: true, why: `request ${counter.meant} of those that it is meant for` }
}

function no(why: string): Decision {
  return { due: false, why }
}
