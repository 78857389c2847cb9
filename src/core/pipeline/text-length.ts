import { brief } from '../definitions/quote.ts'
import type { Problems } from './refusal.ts'
import { toPlace } from './schema-shape.ts'

/** Notes the texts of a body that have more than `longest` characters, wherever they stand. */
export function checkTextLengths(
  sent: object,
  longest: number,
  refusal: Problems,
  path: readonly PropertyKey[] = [],
): void {
  for (const [name, value] of Object.entries(sent)) {
    const here = () => [...path, Array.isArray(sent) ? Number(name) : name]
    if (typeof value === 'object' && value !== null) checkTextLengths(value, longest, refusal, here())
    else if (typeof value === 'string' && value.length > longest)
      refusal.add(() => `${brief(toPlace(here()))} must have at most ${longest} characters.`)
  }
}
