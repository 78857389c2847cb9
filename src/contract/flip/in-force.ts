import { assumptionRegistry } from '../../greenhouse/assembly/catalogue.ts'
import type { AssumptionChoices } from '../../greenhouse/types/names.ts'

/** Returns the value of every assumption in the baseline, by id, in the registry's order. @param chosen values that replace the defaults. */
export function toInForce(chosen: AssumptionChoices = {}): ReadonlyMap<string, string> {
  return assumptionRegistry.resolve(chosen as Readonly<Record<string, string>>)
}
