import type { OptionDeclaration, PanelChoice, ScenarioSummary } from '../../data/shapes.ts'

export type OptionTexts = Readonly<Record<string, string>>

/** The URL parameter that holds an option which was changed but not applied. */
export const paramOf = (option: string) => `option.${option}`

export function activeTexts({ options }: ScenarioSummary, active: PanelChoice | undefined): OptionTexts {
  const chosen: Readonly<Record<string, unknown>> = typeof active === 'object' ? active : {}
  return Object.fromEntries(
    Object.entries(options).map(([name, { default: fallback }]) => [name, String(chosen[name] ?? fallback)]),
  )
}

export function draftTexts(inForce: OptionTexts, params: Readonly<Record<string, string>>): OptionTexts {
  return Object.fromEntries(Object.entries(inForce).map(([name, text]) => [name, params[paramOf(name)] ?? text]))
}

export function optionsOf(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => name.startsWith('option.')))
}

export function clearedOptionParams(params: Readonly<Record<string, string>>): Record<string, undefined> {
  return Object.fromEntries(Object.keys(optionsOf(params)).map((name) => [name, undefined]))
}

export function toScenarioChoice(
  { name, options }: ScenarioSummary,
  texts: OptionTexts,
): { name: string } & OptionTexts {
  const changed = Object.entries(texts).filter(([option, text]) => text !== String(options[option]!.default))
  return { name, ...Object.fromEntries(changed) }
}

const conditions = ['on', 'after', 'every', 'times', 'failures', 'probability', 'plan', 'account', 'key']

export function splitOptions({ options }: ScenarioSummary): readonly [what: Option[], when: Option[]] {
  const all = Object.entries(options)
  const rank = ([name]: Option) => conditions.indexOf(name)
  return [
    all.filter((option) => rank(option) < 0),
    all.filter((option) => rank(option) >= 0).sort((one, other) => rank(one) - rank(other)),
  ]
}

export type Option = [name: string, declaration: OptionDeclaration]

export function inputTypeOf({ type, default: fallback }: OptionDeclaration): string {
  return type ?? typeof fallback
}

export function toHint(declaration: OptionDeclaration): string {
  const { description, default: fallback } = declaration
  return [description, kindOf(declaration), `Default: ${String(fallback) || 'empty'}`]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => withoutEnd(part!))
    .join('. ')
}

function kindOf(declaration: OptionDeclaration): string {
  const { values, unit, min, max } = declaration
  if (values) return ''
  const counted = unit === undefined ? '' : ` of ${unit}`
  const range =
    min !== undefined && max !== undefined
      ? ` from ${min} to ${max}`
      : min !== undefined
        ? `, ${min} or more`
        : max !== undefined
          ? `, ${max} or less`
          : ''
  switch (inputTypeOf(declaration)) {
    case 'integer':
      return `A whole number${counted}${range}`
    case 'number':
      return `A number${counted}${range}`
    case 'duration':
      return 'A length of time such as 90s, 5m or 1h'
    default:
      return ''
  }
}

function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' .\n\t'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
