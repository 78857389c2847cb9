import type { Greenhouse } from '../api/greenhouse.ts'
import { globFilter } from '../core/text/values.ts'
import { createFront, type Target } from './front.ts'

/** Lets a Greenhouse answer through a target. Returns a function that ends this. */
export function attach(
  greenhouse: Greenhouse,
  sender: Pick<Target, 'origins' | 'send' | 'decode' | 'learn'>,
): () => void {
  const { only, fallback, plants, apps } = greenhouse.options.proxy!
  const isWanted = globFilter(only)
  const target: Target = {
    ...sender,
    isForwarded: (operation) => only === undefined || (operation !== undefined && isWanted(operation)),
    fallsBack: fallback === 'mock',
    limit: greenhouse.bodyLimit,
  }
  const isWhole = only === undefined && fallback === undefined && plants !== undefined && apps !== undefined
  return greenhouse.answerThrough(createFront(target), isWhole ? Object.values(sender.origins) : [])
}
