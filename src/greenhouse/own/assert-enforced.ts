import { quote } from '../../core/definitions/quote.ts'
import { suggest } from '../../core/definitions/suggest.ts'

const words = (text: string) => text.split(' ')
const ofNumbers = words('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format')

/** The keywords that constrain values of a type. Without the type, Zod drops them. */
const byType: Readonly<Record<string, readonly string[]>> = {
  object: words('properties required additionalProperties patternProperties propertyNames minProperties maxProperties'),
  array: words('items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains'),
  string: words('minLength maxLength pattern format'),
  number: ofNumbers,
  integer: ofNumbers,
}
const combining = words('allOf anyOf oneOf')
/** Zod reads no other constraint beside one of these. */
const alone = words('$ref not enum const')
const notes = words(
  '$schema $id $comment $defs definitions title description default example examples deprecated readOnly writeOnly contentEncoding contentMediaType',
)
const known = [...Object.values(byType).flat(), ...combining, ...alone, 'type', ...notes]
const mapping = words('properties patternProperties $defs definitions')
const nesting = words('items additionalItems additionalProperties prefixItems contains propertyNames')

type Schema = Readonly<Record<string, unknown>>

/**
 * @param path of the schema in its root. @param isJoined whether the value has to match another schema too.
 * @throws TypeError for a keyword of a JSON Schema that Zod would drop.
 */
export function assertEnforced(part: unknown, owner: string, path: readonly string[] = [], isJoined = false): void {
  if (typeof part !== 'object' || part === null) return
  const schema = part as Schema
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword.startsWith('x-')) continue
    const at = [...path, keyword]
    const problem = findProblem(schema, keyword, isJoined)
    if (problem !== undefined) throw new TypeError(`${owner} has ${quote(at.join('.'))}, ${problem}`)
    const joins = keyword === 'allOf' || (combining.includes(keyword) && (isJoined || schema['type'] !== undefined))
    if (mapping.includes(keyword) || combining.includes(keyword) || (nesting.includes(keyword) && Array.isArray(value)))
      for (const [name, below] of Object.entries(value ?? {})) assertEnforced(below, owner, [...at, name], joins)
    // Names are strings without a "type".
    else if (keyword === 'propertyNames') assertEnforced({ type: 'string', ...(value as Schema) }, owner, at)
    else if (nesting.includes(keyword)) assertEnforced(value, owner, at)
  }
}

function findProblem(schema: Schema, keyword: string, isJoined: boolean): string | undefined {
  if (!known.includes(keyword)) return `a keyword that Greenhouse does not know.${suggest(keyword, known)}`
  if (notes.includes(keyword)) return undefined
  const has = (other: string) => other !== keyword && schema[other] !== undefined
  const hides = alone.find((other) => has(other) && (keyword !== 'type' || other === '$ref'))
  if (hides) return `which has no effect beside "${hides}".`
  const types = Object.keys(byType).filter((type) => byType[type]!.includes(keyword))
  if (types.length > 0 && ![schema['type']].flat().some((type) => types.includes(type as string)))
    return `which has no effect without "type": ${types.map(quote).join(' or ')}.`
  if (/^(min|max|multipleOf|exclusive)/.test(keyword) && typeof schema[keyword] !== 'number')
    return 'which takes a number.'
  if (/^m..Items$/.test(keyword) && !has('items') && !has('prefixItems'))
    return 'which has no effect without "items". Add "items": {}.'
  const combined = combining.find(has)
  if (combined && combining.includes(keyword) && !has('type')) return `which has no effect beside "${combined}".`
  if (keyword === 'additionalProperties' && schema[keyword] !== true) {
    if (isJoined || combined) return `which has no effect beside ${quote(combined ?? 'allOf')} or in it.`
    if (schema[keyword] !== false && has('patternProperties')) return 'which has no effect beside "patternProperties".'
  }
  const names = Object.keys((schema['properties'] as Schema | undefined) ?? {})
  const missing = keyword === 'required' && [schema[keyword]].flat().find((name) => !names.includes(name as string))
  return missing ? `but no ${quote(String(missing))} in its "properties".${suggest(String(missing), names)}` : undefined
}
