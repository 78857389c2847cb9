import * as z from 'zod/mini'
import { suggest } from '../core/suggest.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** What a scenario file declares of one option. */
export const optionSchema = z
  .strictObject({
    description: z.optional(z.string()),
    type: z.optional(z.enum(['string', 'integer', 'number', 'boolean'])),
    values: z.optional(z.array(scalar).check(z.minLength(1))),
    default: scalar,
  })
  .check(z.refine(({ values, default: fallback }) => !values || values.includes(fallback), { path: ['default'], error: 'expected one of the values' }))

export type OptionDeclaration = z.infer<typeof optionSchema>

/** The options of a scenario in full: the defaults, and what is chosen over them, read as the declared type. @throws RangeError */
export function readOptions(
  scenario: string,
  declared: Readonly<Record<string, OptionDeclaration>>,
  chosen: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, declaration] of Object.entries(declared)) values[name] = declaration.default
  for (const [given, value] of Object.entries(chosen)) {
    if (value === undefined) continue
    const name = given === 'operation' && !Object.hasOwn(declared, given) && Object.hasOwn(declared, 'on') ? 'on' : given
    if (!Object.hasOwn(declared, name))
      throw new RangeError(
        `Failed to use the scenario "${scenario}": it has no option "${name}"${optionList(declared)}.${suggest(name, Object.keys(declared))}`,
      )
    values[name] = readOption(scenario, name, declared[name]!, value)
  }
  return values
}

/** Puts the options' values in place of `${name}` wherever a file's strings hold it. A string that is nothing else becomes the value itself. */
export function fillIn(value: unknown, options: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{([a-z][a-z0-9-]*)\}$/.exec(value)?.[1]
    if (whole !== undefined && Object.hasOwn(options, whole)) return options[whole]
    return value.replace(/\$\{([a-z][a-z0-9-]*)\}/g, (text, name: string) => (Object.hasOwn(options, name) ? String(options[name]) : text))
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, options))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, options)]))
}

/** Where a file's strings hold `${name}` with no option of that name. */
export function findUnfilled(value: unknown, options: Readonly<Record<string, unknown>>, path: readonly string[] = []): { path: readonly string[]; name: string }[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\$\{([^}]*)\}/g)].filter(([, name]) => !Object.hasOwn(options, name!)).map(([, name]) => ({ path, name: name! }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findUnfilled(item, options, [...path, name]))
}

function readOption(scenario: string, name: string, { type, values, default: fallback }: OptionDeclaration, given: unknown): unknown {
  const wanted = type ?? (typeof fallback === 'number' ? 'number' : typeof fallback)
  const value = typeof given === 'string' && wanted !== 'string' ? fromText(given, wanted) : given
  const isOfType = wanted === 'integer' ? Number.isInteger(value) : typeof value === wanted
  if (isOfType && (!values || values.includes(value as string))) return value
  const expected = values ? values.map((known) => JSON.stringify(known)).join(', ') : `a value of type ${wanted}`
  throw new RangeError(`Failed to use the scenario "${scenario}": the option "${name}" is ${JSON.stringify(given)}, expected ${expected}.`)
}

function fromText(text: string, type: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text.trim() === '' ? text : Number(text)
}

function optionList(declared: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(declared)
  return names.length === 0 ? ' or any other' : `, only ${names.join(', ')}`
}
