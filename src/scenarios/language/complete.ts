import * as z from 'zod/mini'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { effectKinds, headSchema } from './schema.ts'

let schema: JsonSchema | undefined

/** Made at the first use: only editors need it. */
function scenarioSchema(): JsonSchema {
  return (schema ??= z.toJSONSchema(z.object({ ...headSchema.shape, ...effectSchemas() }), {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema)
}

function effectSchemas() {
  return Object.fromEntries(effectKinds.map((kind) => [kind.name, kind.schema]))
}

/**
 * Reads a line of YAML, up to a place: how far its name is indented, the name, and what is typed of
 * its value.
 */
function readLine(line: string): {
  readonly indent: number
  readonly name: string
  readonly value?: string
} {
  const [, dashes = '', name = '', rest = ''] = /^([ -]*)([A-Za-z_]*)(.*)/s.exec(line)!
  const indent = dashes.length
  if (rest === '') return { indent, name }
  // A line without a colon is no field, but a text in several lines, for example.
  if (!rest.startsWith(':'))
    return {
      indent,
      name: '',
      value: '',
    }
  return {
    indent,
    name,
    value: rest.slice(1).trimStart(),
  }
}

/**
 * Returns what fits at a place in the YAML text of a scenario: the names of fields, or the values
 * of the field in its line.
 * @param operations the ids that `on` can have
 */
export function completeScenario(
  text: string,
  at: number,
  operations: readonly string[],
): string[] {
  const lines = text.slice(0, at).split('\n')
  const { indent, name, value } = readLine(lines.pop()!)
  const holders = schemasAt(pathAbove(lines, indent))
  if (value === undefined)
    return startingWith(
      name,
      holders.flatMap(({ properties = {} }) => Object.keys(properties)),
    )
  if (name === 'on') return startingWith(value, operations)
  return startingWith(
    value,
    holders.flatMap((holder) => variantsOf(holder.properties?.[name])).flatMap(completionsOf),
  )
}

/** Returns the names of the fields that hold a line, from the root. */
function pathAbove(lines: readonly string[], column: number): string[] {
  const path: string[] = []
  let edge = column
  for (const line of lines.toReversed()) {
    const { indent, name } = readLine(line)
    if (name === '' || indent >= edge) continue
    path.unshift(name)
    edge = indent
  }
  return path
}

function schemasAt(path: readonly string[]): readonly JsonSchema[] {
  return path.reduce(
    (holders, name) => holders.flatMap((holder) => variantsOf(holder.properties?.[name])),
    variantsOf(scenarioSchema()),
  )
}

/** Returns the schemas of a value, and of the items of a list. */
function variantsOf(schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (!schema) return []
  const { anyOf = [], oneOf = [], items } = schema
  return [schema, ...[...anyOf, ...oneOf].flatMap(variantsOf), ...variantsOf(items)]
}

function completionsOf({ const: only, enum: listed = [only], type }: JsonSchema): string[] {
  if (type === 'boolean') return ['true', 'false']
  return listed.filter((value) => value !== undefined).map(String)
}

function startingWith(typed: string, words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word.startsWith(typed) && word !== typed)
}
