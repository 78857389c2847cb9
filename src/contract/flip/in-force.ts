import { assumptionRegistry } from '../../greenhouse/catalogue.ts'
import type { AssumptionChoices } from '../../greenhouse/names.ts'

/** What every assumption is where nothing is flipped, by id, in the order of the assumptionRegistry. @param chosen what is in force besides the defaults. */
export function toInForce(chosen: AssumptionChoices = {}): ReadonlyMap<string, string> {
  return assumptionRegistry.resolve(chosen as Readonly<Record<string, string>>)
}
