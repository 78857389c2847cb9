import { isObject } from '../../core/contract/options.ts'
import { toExactNumber } from '../../core/http/json.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { codedError } from '../../core/text/error-codes.ts'
import {
  brief,
  describeProblem,
  joinNames,
  quote,
  showValue,
  suggest,
} from '../../core/text/messages.ts'
import type { Fields } from '../../core/text/values.ts'
import { RejectedOptionError } from '../../core/world/effective-settings.ts'
import { conditionNames } from './condition.ts'
import {
  acceptsValue,
  type Declared,
  defaultsOf,
  describeOption,
  isPathWithin,
  type OptionDeclaration,
  optionTypeOf,
  type Placeholder,
  whereNames,
} from './options.ts'

/** The conditions that were chosen when the scenario was switched on. */
export interface Narrowing {
  readonly on?: string
  readonly account?: string
  readonly key?: string
  readonly plan?: string
  readonly times?: number
}

/**
 * Checks what was chosen for a scenario, and separates the values of its options from conditions.
 * `declared` are those of its file, `conditions` those that it takes in addition.
 * @param placeholders those of its file. @throws RejectedOptionError
 */
export function chooseOptions(
  scenario: string,
  {
    declared,
    conditions,
  }: {
    readonly declared: Declared
    readonly conditions: Declared
  },
  placeholders: readonly Placeholder[],
  chosen: Fields,
): {
  readonly values: Fields
  readonly narrowing: Narrowing
} {
  const values = defaultsOf(declared)
  const narrowing: Record<string, unknown> = {}
  const known = { ...conditions, ...declared }
  for (const [given, value] of Object.entries(
    flattenWhere(scenario, declared, placeholders, chosen),
  )) {
    if (value === undefined) continue
    const name = given === 'operation' && !Object.hasOwn(declared, given) ? 'on' : given
    const declaration = Object.hasOwn(known, name) ? known[name] : undefined
    if (!declaration) {
      const names = Object.keys({ ...declared, ...conditions })
      return rejectOptions(
        scenario,
        [given],
        describeProblem('there is no such option', name, names, true),
      )
    }
    const accepted = readOption(scenario, name, declaration, value)
    if (Object.hasOwn(declared, name)) values[name] = accepted
    else if (accepted !== declaration.default) narrowing[name] = accepted
  }
  const inOrder = conditionNames.filter((name) => Object.hasOwn(narrowing, name))
  return {
    values,
    narrowing: Object.fromEntries(inOrder.map((name) => [name, narrowing[name]])),
  }
}

function readOption(
  scenario: string,
  name: string,
  declaration: OptionDeclaration,
  given: unknown,
): unknown {
  const wanted = optionTypeOf(declaration)
  const value = typeof given === 'string' ? parseOptionText(given, wanted) : given
  if (acceptsValue(declaration, value)) return value
  const suggestion = suggest(String(given), (declaration.values ?? []).map(String))
  const expected = describeOption(declaration)
  return rejectOptions(
    scenario,
    [name],
    `expected ${expected}, received ${showValue(given)}.${suggestion}`,
  )
}

/** @throws RejectedOptionError */
export function rejectOptions(scenario: string, names: readonly string[], problem: string): never {
  const message = `Failed to use "${scenario}": ${joinNames(names.map(brief), 'and')}: ${problem}`
  throw new RejectedOptionError(message, scenario, names, problem)
}

function parseOptionText(text: string, type: string): unknown {
  if (type === 'string' || type === 'duration') return text
  if (type === 'boolean') {
    if (['true', 'false'].includes(text)) return text === 'true'
    return text
  }
  const number = Number(text)
  // A fraction that a double would round to an integer is not an integer.
  const isChanged =
    Number.isInteger(number) && jsonNumber.test(text) && toExactNumber(text) !== number
  if (text.trim() === '' || isChanged) return text
  return number
}

const jsonNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/

/**
 * Returns what was chosen, with the fields of `where` as options of these names. An option that the
 * file declares under such a name must have the meaning of the field. @throws RejectedOptionError
 */
function flattenWhere(
  scenario: string,
  declared: Declared,
  placeholders: readonly Placeholder[],
  chosen: Fields,
) {
  const { where, ...others } = chosen
  if (where === undefined || Object.hasOwn(declared, 'where')) return chosen
  const reject = (problem: string) => rejectOptions(scenario, ['where'], problem)
  if (!isObject(where))
    return reject(`expected an object with account, key or plan, received ${showValue(where)}`)
  const options: Record<string, unknown> = others
  for (const [name, value] of Object.entries(where)) {
    if (!whereNames.some((known) => known === name))
      reject(describeProblem(`there is no such field ${quote(name)}`, name, whereNames, true))
    const isWhere = placeholders.some(
      (one) => one.name === name && String(one.path.slice(-2)) === `where,${name}`,
    )
    if (Object.hasOwn(declared, name) && !isWhere)
      reject(`the scenario has an option "${name}" with another meaning`)
    if (value !== undefined) options[name] = value
  }
  return options
}

/** Throws an error that names the options that cause a mistake, or else its place in the file. */
export function rejectFinding(
  name: string,
  finding: Finding,
  placeholders: readonly Placeholder[],
  options: Fields,
): never {
  const { path, message } = finding
  const names = optionsAt(finding, placeholders)
  if (names.length === 0)
    throw codedError(
      'GREENHOUSE_INVALID_SCENARIO',
      `Failed to use "${name}" with these options: ${path.map(String).join('.')}: ${message}`,
    )
  const values = names.map((option) => showValue(options[option])).join(' and ')
  rejectOptions(
    name,
    names,
    `can't be ${values}: ${message.replace(/^Invalid (input|option): /, '')}`,
  )
}

/** Returns the options that fill in the place of a mistake, or else places within it. */
export function optionsAt({ path }: Finding, placeholders: readonly Placeholder[]): string[] {
  const within = placeholders.filter((one) => isPathWithin(one.path, path))
  const exact = within.filter((one) => one.path.length === path.length)
  return [...new Set((exact.length > 0 ? exact : within).flatMap(({ name }) => name ?? []))]
}
