import { isInline, toFreeName, toInlineName } from './inline.ts'
import type { ScenarioSource } from './layer.ts'
import { toNamedScenario, type NamedScenario } from './scenario-choice.ts'

export function toNamedScenarios(
  choices: readonly unknown[],
  library: ScenarioSource,
  taken: Iterable<string> = [],
): NamedScenario[] {
  const names = new Set(taken)
  for (const choice of choices) {
    const title = isInline(choice) ? (choice as { title?: unknown }).title : undefined
    if (typeof title === 'string') names.add(toInlineName(title))
  }
  return choices.map((choice) => {
    if (!isInline(choice)) return toNamedScenario(choice)
    const scenario = library.readInline(choice, () => toFreeName(names, (name) => library.has(name)))
    names.add(scenario.name)
    return scenario
  })
}
