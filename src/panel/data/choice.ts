import type { InlineChoice, NamedChoice, PanelChoice, ScenarioSummary } from './shapes.ts'

export function toChoiceText(choice: PanelChoice): string {
  if (typeof choice === 'string') return choice
  if (isInlineChoice(choice)) return nameOfChoice(choice)
  const { name, ...options } = choice
  const pairs = Object.entries(options).map(([option, value]) => `${option}=${encode(String(value))}`)
  return pairs.length === 0 ? name : `${name}:${pairs.join(',')}`
}

export function nameOfChoice(choice: PanelChoice): string {
  if (typeof choice === 'string') return choice.split(':', 1)[0]!.trim()
  return isInlineChoice(choice) ? `“${choice.title}”` : choice.name
}

export function labelOfChoice(choice: PanelChoice, among: readonly PanelChoice[]): string {
  const name = nameOfChoice(choice)
  return among.filter((one) => nameOfChoice(one) === name).length > 1 ? toChoiceText(choice) : name
}

export function choicesByKey(choices: readonly PanelChoice[]): ReadonlyMap<string, PanelChoice> {
  const keyed = new Map<string, PanelChoice>()
  for (const choice of choices) {
    let key = nameOfChoice(choice)
    while (keyed.has(key)) key += ' again'
    keyed.set(key, choice)
  }
  return keyed
}

export function isInlineChoice(choice: PanelChoice): choice is InlineChoice {
  return typeof choice !== 'string' && choice.name === undefined
}

/** Returns the name of a choice and, as a text, its options that differ from the defaults of the library. */
export function splitChoice(choice: PanelChoice, library: readonly ScenarioSummary[]): readonly [string, string] {
  if (isInlineChoice(choice)) return [nameOfChoice(choice), '']
  const [name = '', options = ''] = toChoiceText(withoutDefaults(choice, library)).split(/:(.*)/s)
  return [name, options.replaceAll(',', ' ')]
}

function withoutDefaults(choice: string | NamedChoice, library: readonly ScenarioSummary[]): PanelChoice {
  if (typeof choice === 'string') return choice
  const declared = library.find(({ name }) => name === choice.name)?.options ?? {}
  const differing = Object.entries(choice).filter(([option, value]) => declared[option]?.default !== value)
  return { ...Object.fromEntries(differing), name: choice.name }
}

function encode(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[%,;]|[^ -~]|^ | $/gu, (character) => encodeURIComponent(character))
}
