import { readFileSync } from 'node:fs'
import { type Flag, readValue, type ValueFlag } from '../../api/config/flag-value.ts'
import { toReason } from '../../core/contract/errors.ts'
import { type JsonSchema, typesOf, valuesOf } from '../../core/contract/json-schema.ts'
import { JsonError, parseJson } from '../../core/http/json.ts'
import { joinNames } from '../../core/text/messages.ts'
import { UsageError } from '../terminal.ts'

export function toFlagName(field: string): string {
  return field.replaceAll('_', '-')
}

/** Returns the flag of a field of an action's input. The server checks its value. */
export function toFieldFlag(field: JsonSchema): Flag {
  const describe = describeField(field) ?? ''
  const types = allTypesOf(field)
  if (types.length === 1 && types[0] === 'boolean') return { isOn: false, describe }
  if (types.includes('array')) return { each: toFlagValue(field.items), describe }
  return { value: toFlagValue(field), describe }
}

function toFlagValue(field: JsonSchema = {}) {
  const types = allTypesOf(field)
  const read = (text: string) => toValue(text, field)
  if (types.includes('string')) return readValue('text', 'text', read)
  return types.includes('number') ? readValue('a number', '20', read) : readValue('JSON', "'{}'", read)
}

export function describeField(field: JsonSchema = {}): string | undefined {
  const values = valuesOf(field)
  return field.description ?? (values && joinNames(values.map(String), 'or'))
}

function allTypesOf(field: JsonSchema): string[] {
  const parts = field.anyOf ?? [field]
  return parts.flatMap((part) => typesOf(part) ?? [])
}

/** Reads a text as its field wants it: as it is where the field takes text, otherwise as JSON if it is JSON. */
export function toValue(given: unknown, field: JsonSchema = {}): unknown {
  if (Array.isArray(given)) return given.map((one) => toValue(one, field.items))
  const text = String(given)
  const takesText = allTypesOf(field).includes('string')
  if (takesText && !/^\s*[{[]/.test(text)) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** The flag for what no other flag gives: a list of records, a scenario. */
export const wholeInput: ValueFlag = {
  value: readValue('JSON or @FILE', "'{}'", readWhole),
  describe: 'The whole input, as JSON, or as @FILE that has it',
}

function readWhole(given: string): unknown {
  try {
    return parseJson(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given)
  } catch (error) {
    const what = error instanceof JsonError ? 'it is not JSON' : 'failed to read the file'
    throw new UsageError(`--input: ${what}: ${toReason(error)}`)
  }
}
