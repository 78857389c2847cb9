import { brief } from '../definitions/quote.ts'
import type { ProblemList } from './refusal.ts'
import { stepsTo, toPathText, type PathStep } from '../store/schema-shape.ts'

export function checkTextLengths(sent: object, longest: number, refusal: ProblemList, within?: PathStep): void {
  const isList = Array.isArray(sent)
  // `for…in` allocates no list of entries: a body may have tens of thousands of values.
  for (const name in sent) {
    const value = (sent as Record<string, unknown>)[name]
    if (typeof value === 'string') {
      // A character may take two units. A text that is longer than that by far is not counted.
      if (value.length > 2 * longest || (value.length > longest && [...value].length > longest))
        refusal.add(() => `${brief(toPathText(stepsTo(toStep(name))))} must have at most ${longest} characters.`)
    } else if (typeof value === 'object' && value !== null) checkTextLengths(value, longest, refusal, toStep(name))
  }

  function toStep(name: string): PathStep {
    return { within, name: isList ? Number(name) : name }
  }
}
