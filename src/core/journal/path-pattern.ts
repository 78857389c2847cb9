import { fitsParts } from '../definitions/glob.ts'
import { decodeWherePossible } from '../http/percent-encoding.ts'

/**
 * Returns a predicate for a path or a pattern. In a pattern, `*` matches any characters but `/`, the segments
 * `{app_id}` and `:app_id` match any segment, and the segment `**` matches any number of segments.
 */
export function toPathTest(pattern: string): (path: string) => boolean {
  const steps = pattern.split('/').map(toStep)
  if (steps.every((step) => step !== anySteps && step.length === 1))
    return (path) => path === pattern || decodeWherePossible(path) === pattern
  return (path) => fits(path.split('/'), steps) || fits(decodeWherePossible(path).split('/'), steps)
}

type Step = readonly string[] | typeof anySteps

const anySteps = Symbol('any steps')

function toStep(text: string): Step {
  if (text === '**') return anySteps
  return /^(:\w+|\{\w+\})$/.test(text) ? ['', ''] : text.split('*')
}

/** Matches the segments after a `**` from the left. If they do not match, the last `**` takes one more segment. */
function fits(path: readonly string[], steps: readonly Step[]): boolean {
  let at = 0
  let index = 0
  let open: { readonly index: number; at: number } | undefined
  while (at < path.length) {
    const step = steps[index]
    if (step === anySteps) {
      open = { index, at }
      index++
    } else if (step !== undefined && fitsParts(path[at]!, step)) {
      at++
      index++
    } else if (open) {
      at = ++open.at
      index = open.index + 1
    } else return false
  }
  while (steps[index] === anySteps) index++
  return index === steps.length
}
