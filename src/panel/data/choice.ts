import { toScenarioText } from '../../core/text/messages.ts'
import type { InlineChoice, PanelChoice, ScenarioSummary } from './control.ts'

export interface ActiveEntry {
  /** The name that the server has for it. */
  id: string
  /** The library's name; an inline one is its title, in quotes. */
  name: string
  /** Its name, with its options where another one has the same. */
  label: string
  choice: PanelChoice
  isUsedUp: boolean
}

export function toEntries(
  choices: readonly PanelChoice[],
  ids: readonly string[],
  usedUp: readonly string[],
): readonly ActiveEntry[] {
  const names = choices.map(nameOfChoice)
  return choices.map((choice, index) => {
    const name = nameOfChoice(choice)
    const id = ids[index] ?? name
    const isAlone = names.filter((one) => one === name).length === 1
    return {
      id,
      name,
      label: isAlone ? name : toChoiceText(choice),
      choice,
      isUsedUp: usedUp.includes(id),
    }
  })
}

export function toChoiceText(choice: PanelChoice): string {
  if (isInlineChoice(choice)) return nameOfChoice(choice)
  return toScenarioText(choice)
}

export function nameOfChoice(choice: PanelChoice): string {
  if (isInlineChoice(choice)) return `“${choice.title}”`
  return choice.name
}

export function isInlineChoice(choice: PanelChoice): choice is InlineChoice {
  return choice.name === undefined
}

export function changedOptions(
  { choice }: ActiveEntry,
  library: readonly ScenarioSummary[],
): string {
  if (isInlineChoice(choice)) return ''
  const { name, ...options } = choice
  const declared = library.find((scenario) => scenario.name === name)?.options ?? {}
  const differing = Object.entries(options).filter(
    ([option, value]) => declared[option]?.default !== value,
  )
  return toChoiceText({ ...Object.fromEntries(differing), name })
    .slice(name.length + 1)
    .replaceAll(',', ' ')
}
