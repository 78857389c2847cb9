import type { OptionDeclaration, ScenarioChoice, ScenarioSummary } from '../../data/shapes.ts'

/** Options by name, each as it stands in its input. */
export type OptionTexts = Readonly<Record<string, string>>

/** The parameter of the URL that holds an option that was changed and is not in force yet. */
export const paramOf = (option: string) => `option.${option}`

/** What is in force: the options of the active scenario over the defaults. */
export function textsInForce({ options }: ScenarioSummary, active: ScenarioChoice | undefined): OptionTexts {
  const chosen: Readonly<Record<string, unknown>> = typeof active === 'object' ? active : {}
  return Object.fromEntries(
    Object.entries(options).map(([name, { default: fallback }]) => [name, String(chosen[name] ?? fallback)]),
  )
}

/** The same with what the URL changes. */
export function draftTexts(inForce: OptionTexts, params: Readonly<Record<string, string>>): OptionTexts {
  return Object.fromEntries(Object.entries(inForce).map(([name, text]) => [name, params[paramOf(name)] ?? text]))
}

/** The parameters of options. */
export function optionsOf(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => name.startsWith('option.')))
}

/** The same, all taken away. */
export function withoutOptions(params: Readonly<Record<string, string>>): Record<string, undefined> {
  return Object.fromEntries(Object.keys(optionsOf(params)).map((name) => [name, undefined]))
}

/** A scenario with the options that are not as they are by default. The server reads the texts. */
export function toChoice({ name, options }: ScenarioSummary, texts: OptionTexts): { name: string } & OptionTexts {
  const changed = Object.entries(texts).filter(([option, text]) => text !== String(options[option]!.default))
  return { name, ...Object.fromEntries(changed) }
}

/** Options that say when an effect acts and for whom, in the words of the language's conditions. */
const conditions = ['on', 'after', 'every', 'times', 'failures', 'probability', 'plan', 'account', 'key']

/** The options in two parts: what the scenario does, and when and for whom. */
export function splitOptions({ options }: ScenarioSummary): readonly [what: Option[], when: Option[]] {
  const all = Object.entries(options)
  const rank = ([name]: Option) => conditions.indexOf(name)
  return [
    all.filter((option) => rank(option) < 0),
    all.filter((option) => rank(option) >= 0).sort((one, other) => rank(one) - rank(other)),
  ]
}

export type Option = [name: string, declaration: OptionDeclaration]

/** The type of an option's values. */
export function typeOf({ type, default: fallback }: OptionDeclaration): string {
  return type ?? typeof fallback
}

/** What an option decides and takes: `How long. A whole number of milliseconds, 0 or more. Default: 1000`. */
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
  switch (typeOf(declaration)) {
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

/** A text without the full stops and blanks that it ends with. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' .\n\t'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
