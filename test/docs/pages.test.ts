import { expect, test } from 'vitest'
import { type AssumptionChoices, createGreenhouse } from 'greenhouse-mock'
import { validationRules } from '../../src/core/pipeline/validate/index.ts'
import { violationRules } from '../../src/core/journal/violation.ts'
import { createOpenApi, type OpenApiDocument } from '../../src/contract/document/index.ts'
import type { OperationObject } from '../../src/contract/document/operation.ts'
import { operationsOf } from '../support/operations-of.ts'
import { expectTables, readPage, toTable } from './table.ts'
import { controlActions } from '../../src/control/actions/index.ts'
import { createControlDocument } from '../../src/control/document.ts'
import type { JsonSchema } from '../../src/core/contract/json-schema.ts'

const greenhouse = createGreenhouse()
const code = (text: string) => `\`${text}\``
const list = (texts: readonly string[]) => texts.map(code).join(', ') || '–'

test('docs/assumptions.md lists every assumption as the code has it', async () => {
  const rows = greenhouse
    .assumptions()
    .map(({ id, question, values: [first, ...others], source }) => [
      code(id),
      question,
      code(first!),
      list(others),
      source,
    ])
  await expectTables('assumptions.md', [toTable(['id', 'question', 'default', 'alternatives', 'source'], rows)])
})

test('docs/scenario-library.md lists every bundled scenario', async () => {
  const rows = greenhouse
    .scenarios()
    .map(({ name, title, covers, acts_on, options }) => [
      `[\`${name}\`](../scenarios/${name}.yaml)`,
      title,
      covers,
      acts_on.join(', '),
      list(Object.keys(options)),
    ])
    .map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')))
  const head = ['name', 'title', 'what in a client it exercises', 'acts on', 'options']
  await expectTables('scenario-library.md', [toTable(head, rows)])
})

test('docs/judging.md lists every rule once, and what breaks it', () => {
  const table = toTable(
    ['rule', 'what breaks it'],
    validationRules.map(({ id, finds }) => [code(id), finds]),
  )
  expect(readPage('judging.md')).toContain(table)
  expect(validationRules.map(({ id }) => id)).toEqual(violationRules)
})

test('docs/operations.md lists every operation as the code has it', async () => {
  const rows = greenhouse
    .operations()
    .map(({ id, method, path, title, scope, source }) => [
      code(id),
      method,
      code(path),
      title,
      scope === 'any' ? 'any key' : code(scope),
      source,
    ])
  const sections = toSections(await createOpenApi())
  // All from the first section on is generated, its tables included.
  const change = (page: string) => `${page.slice(0, page.indexOf('\n## ') + 1)}${sections}`
  await expectTables('operations.md', [toTable(['id', 'method', 'path', '', 'scope', 'source'], rows)], change)
})

test('the document has a field that an assumption adds', async () => {
  const fieldsOf = async (assumptions: AssumptionChoices) => {
    const { paths } = (await createOpenApi({ area: 'plants', assumptions, examples: false })) as any
    return Object.keys(paths['/plants'].get.responses['200'].content['application/json'].schema.items.properties ?? {})
  }
  expect(await fieldsOf({})).toEqual([])
  expect(await fieldsOf({ 'plants.body.includes-id': 'yes' })).toEqual(['name', 'tag', 'id'])
})

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

function toSections(document: OpenApiDocument): string {
  const { components } = document
  const operations = operationsOf(document).map(({ server, path, method, operation }) =>
    toSection(method.toUpperCase(), new URL(server).pathname.replace(/\/$/, '') + path, operation),
  )
  const shapes = Object.entries(components['schemas'] as Record<string, Schema>).map(
    ([name, schema]) => `### ${name}\n\n${toFieldTable(schema)}`,
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

function toFieldTable(schema: Schema): string {
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

function toShape(schema: JsonSchema, isInner = false): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.anyOf) return toShape(schema.anyOf.at(-1)!, isInner)
  if (schema.items) return `[${toShape(schema.items, true)}]`
  if (Object.keys(schema.properties ?? {}).length === 0 || isInner) return schema.type === 'object' ? '{…}' : '…'
  const fields = Object.entries(schema.properties!).map(([name, part]) => {
    const shape = toShape(part, name !== 'data')
    return `${name}${schema.required?.includes(name) ? '' : '?'}${/\w|\[/.test(shape) ? `: ${shape}` : ''}`
  })
  return `{${fields.join(', ')}}`
}

const contentOf = ({ content = {} }: { content?: Record<string, { schema: JsonSchema }> }) => Object.entries(content)[0]

async function toRoutesTable(): Promise<string> {
  const { paths } = await createControlDocument(controlActions, { server: '' })
  const rows = controlActions.map(({ method, path, title, description, status = 200, output }) => {
    const { parameters = [], requestBody, responses } = paths[path]![method.toLowerCase()]!
    const query = parameters.flatMap((one) => (one.in === 'path' ? [] : 'style' in one ? '…' : `${one.name}=`))
    const [type, answer] = (output && contentOf((responses as Record<string, object>)[status]!)) ?? []
    return [
      code(`${method} ${path}`) + (query.length > 0 ? ` ${code(`?${query.join('&')}`)}` : ''),
      `${title}. ${description}`,
      requestBody ? code(toShape(contentOf(requestBody)![1].schema)) : '',
      !answer ? '204' : type === 'application/json' ? code(toShape(answer.schema)) : 'events',
    ]
  })
  return toTable(['route', 'what it does', 'takes', 'answers'], rows)
}

test('docs/control-api.md lists every route as the table of actions has it', async () => {
  await expectTables('control-api.md', [await toRoutesTable()])
})

test('no cell of the table breaks it', async () => {
  for (const line of (await toRoutesTable()).split('\n')) expect(line.split('|')).toHaveLength(6)
})
