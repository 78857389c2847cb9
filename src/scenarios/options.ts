import { toExactNumber } from '../core/http/exact-number.ts'
import { RefusedOptionError } from '../core/world/activate.ts'
import { quote } from '../core/definitions/quote.ts'
import { showValue } from '../core/definitions/shown-value.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { describeOption, isOfType, isWithin, optionTypeOf, type OptionDeclaration } from './option-values.ts'

export function readOptions(
  scenario: string,
  declared: Readonly<Record<string, OptionDeclaration>>,
  chosen: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, declaration] of Object.entries(declared)) values[name] = declaration.default
  for (const [given, value] of Object.entries(chosen)) {
    if (value === undefined) continue
    const name =
      given === 'operation' && !Object.hasOwn(declared, given) && Object.hasOwn(declared, 'on') ? 'on' : given
    if (!Object.hasOwn(declared, name)) {
      const list = `${optionList(declared)}.${suggest(name, Object.keys(declared))}`
      throw new RefusedOptionError(
        `Failed to use "${scenario}": it has no option ${quote(name)}${list}`,
        scenario,
        [given],
        `there is no such option${list}`,
      )
    }
    values[name] = readOption(scenario, name, declared[name]!, value)
  }
  return values
}

function readOption(scenario: string, name: string, declaration: OptionDeclaration, given: unknown): unknown {
  const { values } = declaration
  const wanted = optionTypeOf(declaration)
  const value =
    typeof given === 'string' && wanted !== 'string' && wanted !== 'duration' ? fromText(given, wanted) : given
  if (isOfType(value, wanted) && (!values || values.includes(value as string)) && isWithin(value, declaration))
    return value
  const reason = `takes ${describeOption(declaration)}; ${showValue(given)} was given.${values ? suggest(String(given), values.map(String)) : ''}`
  throw new RefusedOptionError(
    `Failed to use "${scenario}": the option "${name}" ${reason}`,
    scenario,
    [name],
    `it ${reason}`,
  )
}

function fromText(text: string, type: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const number = Number(text)
  // A fraction that a double would round to an integer is not an integer.
  const isChanged = Number.isInteger(number) && isJsonNumber.test(text) && toExactNumber(text) !== number
  return text.trim() === '' || isChanged ? text : number
}

const isJsonNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/

function optionList(declared: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(declared)
  return names.length === 0 ? ': it takes no options' : `, only ${names.join(', ')}`
}
