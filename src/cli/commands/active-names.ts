import { toInlineName, toNamedScenario, toScenarioText } from '../../core/world/scenario-choice.ts'
import type { ActiveScenario } from '../../api/types/names.ts'

export function toActiveNames(active: readonly ActiveScenario[]): string[] {
  return active.map((choice) =>
    choice.name === undefined ? toInlineName(choice.title) : toScenarioText(toNamedScenario(choice)),
  )
}
