import { ledger } from '../../greenhouse/catalogue.ts'
import type { AssumptionChoices } from '../../greenhouse/names.ts'

/** What every assumption is where nothing is flipped, by id, in the order of the ledger. @param chosen what is in force besides the defaults. */
export function toInForce(chosen: AssumptionChoices = {}): ReadonlyMap<string, string> {
  return ledger.resolve(chosen as Readonly<Record<string, string>>)
}
