import { expect, test } from 'vitest'
import { controlActions } from '../../src/control/actions/index.ts'
import { createControlDocument } from '../../src/control/document.ts'
import type { JsonSchema } from '../../src/core/contract/json-schema.ts'
import { expectTables, toTable } from './table.ts'

const code = (text: string) => `\`${text}\``

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
