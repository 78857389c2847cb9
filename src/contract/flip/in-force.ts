import type { Catalogue } from '../../greenhouse/assembly/make-catalogue.ts'
import type { AssumptionChoices } from '../../greenhouse/types/names.ts'

/** Returns the value of every assumption in the baseline, by id, in the registry's order. @param chosen values that replace the defaults. */
export function toInForce(
  { assumptionRegistry }: Catalogue,
  chosen: AssumptionChoices = {},
): ReadonlyMap<string, string> {
  return assumptionRegistry.resolve(chosen as Readonly<Record<string, string>>)
}
