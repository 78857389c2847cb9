import { showValue } from '../core/definitions/shown-value.ts'
import { RefusedOptionError } from '../core/world/activate.ts'
import type { Finding } from './finding.ts'
import type { Placeholder } from './placeholders.ts'

/**
 * Returns the error for a scenario that cannot be used with these options. The message names the options that cause the
 * mistake, or else the place in the file. @param placeholders the placeholders of the member with the mistake.
 */
export function toOptionRefusal(
  scenario: string,
  finding: Finding,
  placeholders: readonly Placeholder[],
  options: Readonly<Record<string, unknown>>,
): RangeError {
  const { path, message } = finding
  const names = optionsAt(finding, placeholders)
  if (names.length === 0)
    return new RangeError(`Failed to use "${scenario}" with these options: ${path.map(String).join('.')}: ${message}`)
  const named = `${names.length === 1 ? 'option' : 'options'} ${names.map((name) => `"${name}"`).join(' and ')}`
  const reason = `can't be ${names.map((name) => showValue(options[name])).join(' and ')}: ${message.replace(/^Invalid (input|option): /, '')}`
  return new RefusedOptionError(
    `Failed to use "${scenario}": the ${named} ${reason}`,
    scenario,
    names,
    `${names.length === 1 ? 'it' : 'they'} ${reason}`,
  )
}

export function optionsAt({ path: [, ...place] }: Finding, placeholders: readonly Placeholder[]): string[] {
  const inside = placeholders.filter(({ path }) => place.every((step, depth) => String(step) === String(path[depth])))
  const exact = inside.filter(({ path }) => path.length === place.length)
  return [...new Set((exact.length > 0 ? exact : inside).flatMap(({ name }) => name ?? []))]
}
