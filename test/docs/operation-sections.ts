import type { OpenApiDocument } from '../../src/contract/document/index.ts'
import type { OperationObject } from '../../src/contract/document/operation.ts'
import { operationsOf } from '../support/operations-of.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [limit: string]: unknown
}

/** Every operation with its parameters, body, replies and an example, and every shape once, as Markdown. */
export function toSections(document: OpenApiDocument): string {
  const { components } = document
  const operations = operationsOf(document).map(({ server, path, method, operation }) =>
    toSection(method.toUpperCase(), new URL(server).pathname.replace(/\/$/, '') + path, operation),
  )
  const shapes = Object.entries(components['schemas'] as Record<string, Schema>).map(
    ([name, schema]) => `### ${name}\n\n${toTable(schema)}`,
  )
  return `${operations.join('\n')}\n## Shapes\n\n${shapes.join('\n')}`
}

function toSection(method: string, path: string, operation: OperationObject): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const scope = operation['x-greenhouse-scope']
  const body = requestBody?.content['application/json']
  const parts = [
    `## \`${operationId}\`: ${summary}\n\n\`${method} ${path}\` with ${scope === 'any' ? 'any key' : `the scope \`${scope}\``} (${operation['x-greenhouse-source']})\n`,
    ...(parameters.length === 0
      ? []
      : [
          `| parameter | in | takes | |\n| --- | --- | --- | --- |\n${parameters
            .map(
              ({ name, in: place, schema, description = '' }) =>
                `| \`${name}\` | ${place} | ${toText(schema as Schema)} | ${description} |\n`,
            )
            .join('')}`,
        ]),
    ...(body ? [`Body: ${toText(body.schema as Schema)}${requestBody.required ? '' : ', may be left out'}\n`] : []),
    `| status | body | when |\n| --- | --- | --- |\n${Object.entries(responses)
      .map(([status, { content = {}, description }]) => {
        const shown = Object.entries(content).map(([type, { schema }]) =>
          type === 'application/json' ? toText(schema as Schema) : `\`${type}\``,
        )
        return `| ${status} | ${shown.join(' or ') || 'none'} | ${description.replaceAll('|', '\\|')} |\n`
      })
      .join('')}`,
    ...toExample(method, path, operation),
  ]
  return parts.join('\n')
}

function toExample(
  method: string,
  path: string,
  { parameters = [], requestBody, responses }: OperationObject,
): string[] {
  const found = Object.entries(responses).find(([status, { content }]) => {
    const isSuccess = Number(status) < 300
    const isOfStream = content?.['text/event-stream'] !== undefined
    return isSuccess && !isOfStream && (!content || content['application/json']?.example !== undefined)
  })
  if (!found) return []
  const [status, { content }] = found
  const target = parameters.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const sent = requestBody?.content['application/json']?.example
  const got = content?.['application/json']?.example
  const show = (value: unknown) => (value === undefined ? '' : `\n${JSON.stringify(value, null, 2)}`)
  return [`\`\`\`text\n${method} ${target}${show(sent)}\n\n${status}${show(got)}\n\`\`\`\n`]
}

function toTable(schema: Schema): string {
  const { properties, required = [] } = schema
  if (!properties) return `${toText(schema)}\n`
  return `| field | | |\n| --- | --- | --- |\n${toRows(properties, required, '').join('')}`
}

function toRows(properties: Readonly<Record<string, Schema>>, required: readonly string[], before: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.type === 'array' ? schema.items! : schema
    const nested = inner.properties
      ? toRows(inner.properties, inner.required ?? [], `${before}${name}${schema.type === 'array' ? '[]' : ''}.`)
      : []
    return [`| \`${before}${name}\` | ${toText(schema)} | ${required.includes(name) ? '' : 'optional'} |\n`, ...nested]
  })
}

const words: Readonly<Record<string, string>> = { integer: 'integer', object: 'object', array: 'list', null: '`null`' }

function toText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!
    return `[${name}](#${name.toLowerCase()})`
  }
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.anyOf) return [...new Set(schema.anyOf.map(toText))].join(' or ')
  if (schema.type === 'array') return `list of ${toText(schema.items!)}`
  const types = [schema.type ?? 'any value'].flat().map((type) => words[type] ?? type)
  return [types.join(' or '), ...toLimits(schema)].join(', ')
}

function toLimits({ format, minLength, maxLength, minimum, maximum, pattern, default: usual }: Schema): string[] {
  return [
    ...(format === undefined ? [] : [`${String(format)}`]),
    ...(minLength === undefined ? [] : [`at least ${String(minLength)} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`]),
    ...(minimum === undefined ? [] : [`at least ${String(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${String(maximum)}`]),
    ...(pattern === undefined ? [] : [`\`${String(pattern).replaceAll('|', '\\|')}\``]),
    ...(usual === undefined ? [] : [`${String(usual)} by default`]),
  ]
}
