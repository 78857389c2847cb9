import { fitsParts } from '../definitions/glob.ts'

/**
 * Returns a predicate for a path or a pattern. In a pattern, `*` matches any characters but `/`, the segments
 * `{app_id}` and `:app_id` match any segment, and the segment `**` matches any number of segments.
 */
export function toPathTest(pattern: string): (path: string) => boolean {
  const steps = pattern.split('/').map(toStep)
  if (steps.every((step) => step !== anySteps && step.length === 1))
    return (path) => path === pattern || decoded(path) === pattern
  return (path) => fits(path.split('/'), steps) || fits(decoded(path).split('/'), steps)
}

/** A segment of a pattern: the texts before, between and after its `*`. */
type Step = readonly string[] | typeof anySteps

const anySteps = Symbol('any steps')

function toStep(text: string): Step {
  if (text === '**') return anySteps
  return /^(:\w+|\{\w+\})$/.test(text) ? ['', ''] : text.split('*')
}

/** Matches the segments after a `**` from the left. If they do not match, the last `**` takes one more segment. */
function fits(path: readonly string[], steps: readonly Step[]): boolean {
  let at = 0
  let place = 0
  let open: { readonly place: number; at: number } | undefined
  while (at < path.length) {
    const step = steps[place]
    if (step === anySteps) {
      open = { place, at }
      place++
    } else if (step !== undefined && fitsParts(path[at]!, step)) {
      at++
      place++
    } else if (open) {
      at = ++open.at
      place = open.place + 1
    } else return false
  }
  while (steps[place] === anySteps) place++
  return place === steps.length
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
