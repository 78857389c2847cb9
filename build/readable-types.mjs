import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from 'oxfmt'
import { parseAst } from 'rolldown/parseAst'

const options = { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' }

/**
 * Sorts a bundled declaration file for human readers: first the exports, in the entry's order and
 * under its comments as headings, each followed by the declarations that only it needs.
 * @param bundled the declarations that the bundler wrote @param entry the path of the entry's
 * source
 */
export async function toReadable(bundled, entry) {
  const code = withCommentsOnLines(bundled)
  const statements = parse(code)
  // An interface and a constant may share a name.
  const declared = new Map(
    statements.map(({ name }) => [name, statements.filter((one) => one.name === name)]),
  )
  declared.delete(undefined)
  const tuples = new Map(statements.flatMap((statement) => toTuple(statement, code)))
  const exported = new Set(statements.flatMap(({ exports }) => exports))
  const written = new Set()
  const imports = statements.filter(({ isImport }) => isImport).map(({ text }) => text)
  const out = imports.length > 0 ? [imports.join('\n')] : []
  // The declarations that extend the types of other packages.
  const added = statements.filter(
    ({ node }) =>
      node.type === 'TSModuleDeclaration' && (node.kind === 'global' || node.id.type === 'Literal'),
  )
  for (const { comment, text } of added) out.push(comment + text)

  const write = (name) => {
    const found = declared.get(name) ?? []
    if (written.has(name) || tuples.has(name)) return
    written.add(name)
    for (const { comment, text } of found)
      out.push(comment + (exported.has(name) ? 'export ' : '') + inline(text, tuples))
    for (const used of found.flatMap(({ uses }) => uses)) if (!exported.has(used)) write(used)
  }
  for (const { heading, names } of groupsOf(entry)) {
    if (heading && names.some((name) => declared.has(name))) out.push(`// ${heading}`)
    for (const name of names) write(name)
  }
  for (const used of added.flatMap(({ uses }) => uses)) if (!exported.has(used)) write(used)
  const forgotten = [...exported].filter((name) => declared.has(name) && !written.has(name))
  if (forgotten.length > 0)
    throw new Error(`Failed to order the types: ${entry} does not name ${forgotten.join(', ')}.`)
  // Types of other packages. Without an export of this form, every declaration would count as
  // exported.
  out.push(`export type { ${[...exported].filter((name) => !declared.has(name)).join(', ')} }`)
  const { code: readable, errors } = await format('types.d.ts', out.join('\n\n') + '\n', options)
  if (errors.length > 0)
    throw new Error(`Failed to format the types of ${entry}: ${JSON.stringify(errors)}`)
  // For projects whose `lib` does not have `using`.
  return /\bextends (Async)?Disposable\b/.test(readable)
    ? `/// <reference lib="esnext.disposable" />\n${readable}`
    : readable
}

/**
 * Puts each docstring on its own lines. The bundler writes some after the previous member, where
 * editors do not find them.
 */
function withCommentsOnLines(code) {
  return code.replaceAll(
    /(?<before>\S)?[ \t]*(?<comment>\/\*\*[^]*?\*\/)[ \t]*(?<after>\S)?/g,
    (...match) => {
      const { before, comment, after } = match.at(-1)
      return (before ? before + '\n' : '') + comment + (after ? '\n' + after : '')
    },
  )
}

/**
 * Parses a declaration file into statements: names, used names, text without `export`, and
 * docstrings.
 */
function parse(code) {
  let end = 0
  return parseAst(code, { lang: 'dts' }).body.map((node) => {
    const before = code.slice(end, node.start)
    end = node.end
    const comments = before.match(/\/\*\*[^]*?\*\//g) ?? []
    const statement = {
      isImport: node.type === 'ImportDeclaration',
      exports: (node.specifiers ?? [])
        .filter(({ type }) => type === 'ExportSpecifier')
        .map(({ exported }) => exported.name),
      comment: comments.length > 0 ? comments.at(-1) + '\n' : '',
      text: asInterface(onOneLine(node, code)).replace(/;$/, ''),
      uses: [],
    }
    const declaration = node.declarations?.[0] ?? node
    if (
      /^(TS.*Declaration|VariableDeclaration|ClassDeclaration|FunctionDeclaration|TSDeclareFunction)$/.test(
        node.type,
      )
    )
      statement.name = declaration.id?.name
    visit(node, (part) => {
      if (
        part.type === 'Identifier' &&
        part.name !== statement.name &&
        !statement.uses.includes(part.name)
      )
        statement.uses.push(part.name)
    })
    return { ...statement, node }
  })
}

/**
 * Returns a statement's text with object types on one line, except those with comments; the
 * formatter breaks long ones.
 */
function onOneLine(node, code) {
  const literals = []
  visit(node, (part) => {
    if (/^TS(TypeLiteral|MappedType)$/.test(part.type)) literals.push(part)
  })
  let text = code.slice(node.start, node.end)
  for (const { start, end } of literals) {
    const literal = code.slice(start, end)
    if (literal.includes('/*')) continue
    const flat = literal
      .replace(/;?\n\s*\}/g, ' }')
      .replace(/\{\n\s*/g, '{ ')
      .replace(/\n\s*/g, ' ')
    text = text.replace(literal, () => flat)
  }
  return text
}

/** Gives a class that hides its state as an interface: people get its objects, and create none. */
function asInterface(text) {
  if (!text.includes('#private;')) return text
  const writable = new Set(Array.from(text.matchAll(/^ *set (\w+)\(/gm), ([, name]) => name))
  return text
    .replace(
      /^declare class (\w+(?:<[^>{]*>)?)( implements)?/,
      (_, name, base) => `interface ${name}${base ? ' extends' : ''}`,
    )
    .replace(/^ *(#private;|set \w+\(.*)\n/gm, '')
    .replace(
      /^( *)get (\w+)\(\):/gm,
      (_, indent, name) => `${indent}${writable.has(name) ? '' : 'readonly '}${name}:`,
    )
}

/**
 * Finds constants such as `declare const names: readonly ['a', 'b']`, to replace `(typeof
 * names)[number]` with `'a' | 'b'`.
 */
function toTuple({ name, node }, code) {
  const type = node.declarations?.[0]?.id?.typeAnnotation?.typeAnnotation
  if (type?.type !== 'TSTypeOperator' || type.typeAnnotation.type !== 'TSTupleType') return []
  return [
    [
      name,
      type.typeAnnotation.elementTypes.map((item) => code.slice(item.start, item.end)).join(' | '),
    ],
  ]
}

function inline(text, tuples) {
  let result = text
  for (const [name, union] of tuples) {
    result = result
      .replaceAll(`(typeof ${name})[number][]`, `(${union})[]`)
      .replaceAll(`(typeof ${name})[number]`, union)
    if (result.includes(`typeof ${name}`))
      throw new Error(
        `Failed to write the types: ${name} is used as more than the union of its items.`,
      )
  }
  return result
}

/** Returns the names that an entry exports, grouped under the comments above them. */
function groupsOf(entry) {
  const source = readFileSync(entry, 'utf8')
  const groups = [{ heading: undefined, names: [] }]
  let at = 0
  for (const node of parseAst(source, { lang: 'ts' }).body) {
    const heading = source.slice(at, node.start).match(/\/\/ (.*)\n$/)?.[1]
    at = node.end
    if (heading) groups.push({ heading, names: [] })
    if (node.type === 'ExportAllDeclaration')
      groups
        .at(-1)
        .names.push(
          ...groupsOf(join(dirname(entry), node.source.value)).flatMap(({ names }) => names),
        )
    for (const specifier of node.specifiers ?? [])
      if (specifier.exported) groups.at(-1).names.push(specifier.exported.name)
    const own = node.declaration?.declarations?.[0] ?? node.declaration
    if (own?.id) groups.at(-1).names.push(own.id.name)
  }
  return groups
}

function visit(value, see) {
  if (typeof value !== 'object' || value === null) return
  if (typeof value.type === 'string') see(value)
  for (const part of Object.values(value)) visit(part, see)
}
