import { quote } from '../../core/definitions/quote.ts'
import { UnknownScenarioError } from '../../core/world/activate.ts'
import type { ScenarioPart } from '../../scenarios/part.ts'

export const noScenarios: ScenarioPart = {
  part: 'scenarios',
  createLibrary: () => ({
    activate: ({ name }) => refuse(`the scenario ${quote(name)}`),
    readInline: () => refuse('an inline scenario'),
    has: () => false,
    assertKnown: (name) => refuse(`the scenario ${quote(name)}`),
    list: () => [],
    search: () => [],
  }),
}

function refuse(what: string): never {
  throw new UnknownScenarioError(
    `Failed to use ${what}: this Greenhouse has no scenarios. Import { scenarios } from 'greenhouse-mock/scenarios' and pass it: createGreenhouse({ scenarios }).`,
  )
}
