import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** The docstring of a schema, and those of its fields. */
export interface SchemaComments {
  readonly comment?: string | undefined
  readonly fields: Readonly<Record<string, SchemaComments>>
}

/** A node of a syntax tree, as far as schemas have it. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: any
}

interface Source {
  readonly file: string
  readonly text: string
  readonly declared: ReadonlyMap<string, { readonly node: Node; readonly comment: string | undefined }>
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

const none: SchemaComments = { fields: {} }
const sources = new Map<string, Source>()

/** Returns the docstrings of a schema. @param file the path of its module @param name the name of its constant */
export function readSchemaComments(file: string, name: string): SchemaComments {
  const source = sources.get(file) ?? readSource(file)
  sources.set(file, source)
  const from = source.imported.get(name)
  if (from) return readSchemaComments(from.file, from.name)
  const declared = source.declared.get(name)
  return declared ? { ...commentsOf(declared.node, source), comment: declared.comment } : none
}

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8')
  const declared = new Map<string, { node: Node; comment: string | undefined }>()
  const imported = new Map<string, { file: string; name: string }>()
  let end = 0
  for (const statement of parseAst(text, { lang: 'ts' }).body as unknown as Node[]) {
    const comment = lastComment(text.slice(end, statement.start))
    end = statement.end
    const node: Node = statement['declaration'] ?? statement
    if (node.type === 'FunctionDeclaration')
      declared.set(node['id'].name, { node: node['body'].body.at(-1).argument, comment })
    for (const { id, init } of node['declarations'] ?? []) if (init) declared.set(id.name, { node: init, comment })
    if (node.type === 'ImportDeclaration' && node['source'].value.startsWith('.'))
      for (const { local, imported: from } of node['specifiers'])
        imported.set(local.name, { file: join(dirname(file), node['source'].value), name: from?.name })
  }
  return { file, text, declared, imported }
}

/** Returns the docstrings of the fields of the object that an expression creates. */
function commentsOf(node: Node | undefined, source: Source): SchemaComments {
  switch (node?.type) {
    case 'Identifier':
      return readSchemaComments(source.file, node['name'])
    // `schema.shape` has the fields of `schema`.
    case 'MemberExpression':
      return commentsOf(node['object'], source)
    case 'ObjectExpression':
      return { fields: fieldsOf(node, source) }
    // `z.object(fields)`, `z.extend(schema, fields)`, `z.array(schema)` and the like. Checks have no fields.
    case 'CallExpression':
      return {
        fields: Object.assign({}, ...node['arguments'].map((argument: Node) => commentsOf(argument, source).fields)),
      }
    default:
      return none
  }
}

function fieldsOf(object: Node, source: Source): Record<string, SchemaComments> {
  const fields: Record<string, SchemaComments> = {}
  let end = object.start
  for (const property of object['properties'] as Node[]) {
    const comment = lastComment(source.text.slice(end, property.start))
    end = property.end
    if (property.type === 'SpreadElement') Object.assign(fields, commentsOf(property['argument'], source).fields)
    else fields[property['key'].name] = { ...commentsOf(property['value'], source), comment }
  }
  return fields
}

function lastComment(text: string): string | undefined {
  return text
    .match(/\/\*\*[^]*?\*\//g)
    ?.at(-1)
    ?.slice(3, -2)
    .trim()
}
