import type { OptionDeclaration, PanelChoice, ScenarioSummary } from '../../data/shapes.ts'

export type OptionTexts = Readonly<Record<string, string>>

/** The URL parameter that holds an option which was changed but not applied. */
export const paramOf = (option: string) => `option.${option}`

/** Returns the options of the active scenario, else the defaults. */
export function activeTexts({ options }: ScenarioSummary, active: PanelChoice | undefined): OptionTexts {
  const chosen: Readonly<Record<string, unknown>> = typeof active === 'object' ? active : {}
  return Object.fromEntries(
    Object.entries(options).map(([name, { default: fallback }]) => [name, String(chosen[name] ?? fallback)]),
  )
}

/** Returns the options in force, overridden by those in the URL. */
export function draftTexts(inForce: OptionTexts, params: Readonly<Record<string, string>>): OptionTexts {
  return Object.fromEntries(Object.entries(inForce).map(([name, text]) => [name, params[paramOf(name)] ?? text]))
}

/** Returns the URL parameters that hold options. */
export function optionsOf(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => name.startsWith('option.')))
}

/** Returns every URL parameter of an option as `undefined`, which deletes it. */
export function clearedOptionParams(params: Readonly<Record<string, string>>): Record<string, undefined> {
  return Object.fromEntries(Object.keys(optionsOf(params)).map((name) => [name, undefined]))
}

/** Returns the scenario's name with the options that differ from the defaults. The server parses the texts. */
export function toScenarioChoice(
  { name, options }: ScenarioSummary,
  texts: OptionTexts,
): { name: string } & OptionTexts {
  const changed = Object.entries(texts).filter(([option, text]) => text !== String(options[option]!.default))
  return { name, ...Object.fromEntries(changed) }
}

/** The names of options that say when and for whom an effect acts, the same as the conditions of scenario files. */
const conditions = ['on', 'after', 'every', 'times', 'failures', 'probability', 'plan', 'account', 'key']

/** Splits the options into what the scenario does, and when and for whom. */
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

/** Returns an option's hint: `How long. A whole number of milliseconds, 0 or more. Default: 1000`. */
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

/** Returns a text without its trailing full stops and whitespace. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' .\n\t'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
