import { resolveSchema, type ApiComponents } from './open-api.ts'
import type { JsonSchema } from './shapes.ts'

/** The limit for the nesting of an example, because a schema may contain itself. */
const deepest = 6

export function exampleOf(given: JsonSchema, document: ApiComponents, depth = 0): unknown {
  const schema = resolveSchema(given, document)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (options) {
    const chosen = options.find((option) => resolveSchema(option, document).type !== 'null') ?? options[0]
    return chosen === undefined ? null : exampleOf(chosen, document, depth)
  }
  const type = (Array.isArray(schema.type) ? schema.type : [schema.type]).find((name) => name !== 'null')
  switch (type) {
    case 'object':
      return Object.fromEntries(
        depth >= deepest
          ? []
          : Object.entries(schema.properties ?? {}).map(([name, part]) => [name, exampleOf(part, document, depth + 1)]),
      )
    case 'array':
      return schema.items && depth < deepest ? [exampleOf(schema.items, document, depth + 1)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return exampleText(schema)
    default:
      return null
  }
}

function exampleText({ format, minLength = 0 }: JsonSchema): string {
  if (format === 'date-time') return '2026-01-31T12:00:00Z'
  if (format === 'date') return '2026-01-31'
  if (format === 'email') return 'ada@example.com'
  if (format === 'uri') return 'https://example.com/'
  return 'text'.padEnd(minLength, 'x')
}
