import { quote } from '../core/definitions/quote.ts'
import { UnknownScenarioError } from '../core/world/activate.ts'
import type { ScenarioPart } from '../scenarios/part.ts'

/** Where no scenarios were given. */
export const noScenarios: ScenarioPart = {
  part: 'scenarios',
  createLibrary: () => ({ activate: refuse, assertKnown: refuse, list: () => [], search: () => [] }),
}

function refuse(name: string): never {
  throw new UnknownScenarioError(
    `Failed to use the scenario ${quote(name)}: this Greenhouse has no scenarios. Import { scenarios } from 'greenhouse-mock/scenarios' and give it to createGreenhouse: { scenarios }.`,
  )
}
