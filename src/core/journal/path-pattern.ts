// The panel's page contains this file, as it does matching.ts.
import { fitsChildren, decodeWherePossible } from '../text/values.ts'

/**
 * `*` matches any characters but `/`, `{app_id}` and `:app_id` any segment, `**` any number of
 * segments.
 */
export function toPathTest(pattern: string): (path: string) => boolean {
  // Most paths have no pattern. Comparing texts takes a fifth of the time, in each entry.
  if (!/[*:{]/.test(pattern))
    return (path) => path === pattern || decodeWherePossible(path) === pattern
  const steps = pattern.split('/').map(toPathStep)
  return (path) =>
    matchesSteps(path.split('/'), steps) ||
    matchesSteps(decodeWherePossible(path).split('/'), steps)
}

type Step = readonly string[] | typeof anySteps

const anySteps = Symbol('any steps')

/** Returns the texts between the stars of a segment. */
function toPathStep(text: string): Step {
  if (text === '**') return anySteps
  // A parameter is as one star: nothing has to stand before it or after it.
  if (/^(:\w+|\{\w+\})$/.test(text)) return ['', '']
  return text.split('*')
}

/**
 * Matches the segments after a `**` from the left. If they do not match, the last `**` takes one
 * more segment.
 */
function matchesSteps(path: readonly string[], steps: readonly Step[]): boolean {
  let at = 0
  let index = 0
  let lastAny:
    | {
        readonly index: number
        at: number
      }
    | undefined
  while (at < path.length) {
    const step = steps[index]
    if (step === anySteps) {
      lastAny = { index, at }
      index++
    } else if (step !== undefined && fitsChildren(path[at]!, step)) {
      at++
      index++
    } else if (lastAny) {
      at = ++lastAny.at
      index = lastAny.index + 1
    } else return false
  }
  while (steps[index] === anySteps) index++
  return index === steps.length
}
