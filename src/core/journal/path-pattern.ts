import { fitsParts } from '../definitions/glob.ts'

/**
 * Returns a predicate for a path or a pattern. In a pattern, `*` matches any characters but `/`, a step `{app_id}` or
 * `:app_id` matches any step, and a step `**` matches any number of steps.
 */
export function toPathTest(pattern: string): (path: string) => boolean {
  const steps = pattern.split('/').map(toStep)
  if (steps.every((step) => step !== anySteps && step.length === 1))
    return (path) => path === pattern || decoded(path) === pattern
  return (path) => fits(path.split('/'), steps) || fits(decoded(path).split('/'), steps)
}

/** The texts before, between and after the `*` of a step. */
type Step = readonly string[] | typeof anySteps

const anySteps = Symbol('any steps')

function toStep(text: string): Step {
  if (text === '**') return anySteps
  return /^(:\w+|\{\w+\})$/.test(text) ? ['', ''] : text.split('*')
}

/** Steps after a `**` are matched from the left; if they do not match, the last `**` takes one more step. */
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
