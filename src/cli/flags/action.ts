import { type Flag, readValue } from '../../api/config/flag.ts'
import type { ControlAction, FieldError } from '../../control/call.ts'
import { allTypesOf, toInputSchema, toInputValue } from '../../control/parameters.ts'
import { type JsonSchema, valuesOf } from '../../core/contract/json-schema.ts'
import { joinNames } from '../../core/text/messages.ts'

/** Returns a flag for each field of an action's input. */
export function flagsOfAction(
  action: ControlAction,
  without: readonly string[],
): Record<string, Flag> {
  const fields = Object.entries(toInputSchema(action).properties ?? {})
  return Object.fromEntries(
    fields
      .filter(([name]) => !without.includes(name))
      .map(([name, field]) => [toFlagName(name), toFieldFlag(field)]),
  )
}

/** Messages name a field as the control API does; here it is a flag. */
export function toFlagMessage(
  {
    message,
    errors = [],
  }: {
    readonly message: string
    readonly errors?: readonly FieldError[]
  },
  action: ControlAction,
): string {
  if (errors.length > 0)
    return errors.map(({ path, message: why }) => `${toFlagPath(path)}${why}`).join('\n')
  const [name = ''] = message.split(':', 1)
  const isField = Object.hasOwn(toInputSchema(action).properties ?? {}, name)
  if (isField) return message.replace(name, `--${toFlagName(name)}`)
  return message
}

function toFlagPath(pointer: string): string {
  const [, first, ...rest] = pointer.split('/')
  if (first === undefined) return ''
  return `--${[toFlagName(first), ...rest].join('.')}: `
}

export function toFlagName(field: string): string {
  return field.replaceAll('_', '-')
}

/** Returns the flag of a field of an action's input. The server checks its value. */
export function toFieldFlag(field: JsonSchema): Flag {
  const describe = describeField(field) ?? ''
  const types = allTypesOf(field)
  if (types.length === 1 && types[0] === 'boolean')
    return {
      isOn: false,
      describe,
    }
  if (types.includes('array'))
    return {
      each: toFlagValue(field.items),
      describe,
    }
  return {
    value: toFlagValue(field),
    describe,
  }
}

function toFlagValue(field: JsonSchema = {}) {
  const types = allTypesOf(field)
  const read = (text: string) => toInputValue(text, field)
  if (types.includes('string')) return readValue('text', read)
  if (types.includes('number')) return readValue('a number', read)
  return readValue('JSON', read)
}

export function describeField(field: JsonSchema = {}): string | undefined {
  const values = valuesOf(field)
  return field.description ?? (values && joinNames(values.map(String), 'or'))
}
