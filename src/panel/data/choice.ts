import type { ScenarioChoice } from './shapes.ts'

/** A scenario as text: `slow:ms=800`. */
export function toChoiceText(choice: ScenarioChoice): string {
  if (typeof choice === 'string') return choice
  const { name, ...options } = choice
  const pairs = Object.entries(options).map(([option, value]) => `${option}=${encode(String(value))}`)
  return pairs.length === 0 ? name : `${name}:${pairs.join(';')}`
}

/** The scenario's name. */
export function nameOfChoice(choice: ScenarioChoice): string {
  return typeof choice === 'string' ? choice.split(':', 1)[0]!.trim() : choice.name
}

/** What would end a value, and what no header can hold. */
function encode(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[%,;]|[^ -~]|^ | $/gu, (character) => encodeURIComponent(character))
}
