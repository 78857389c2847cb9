import { parseAst } from 'rolldown/parseAst'

/**
 * Escapes all characters beyond ASCII. V8 stores a file that has one character beyond Latin-1, such
 * as `…`, as two bytes per character: twice as much to read and to hash at each start.
 */
export const ascii = () => afterMinification('ascii', escaped)

/**
 * Breaks the lines of minified code between statements: Node prints the whole line of an error that
 * nobody catches, which would be 300 kB. A position in a stack trace stays of use.
 */
export const shortLines = () => afterMinification('short-lines', broken)

function afterMinification(name, change) {
  return {
    name,
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = change(file.code)
    },
  }
}

function escaped(code) {
  return code.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** From this many characters on, a line ends at the next statement. */
const long = 120

function broken(code) {
  const starts = []
  visit(parseAst(code), starts)
  let last = 0
  let result = ''
  for (const start of starts.sort((one, other) => one - other)) {
    if (start - last < long) continue
    result += `${code.slice(last, start)}\n`
    last = start
  }
  return result + code.slice(last)
}

/**
 * Collects where statements, members of classes and properties of objects start: a line break may
 * stand before each.
 */
function visit(node, starts) {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node.body)) for (const { start } of node.body) starts.push(start)
  if (node.type === 'ObjectExpression') for (const { start } of node.properties) starts.push(start)
  if (node.type === 'SwitchCase') for (const { start } of node.consequent) starts.push(start)
  if (node.type === 'VariableDeclaration')
    for (const { start } of node.declarations.slice(1)) starts.push(start)
  if (node.type === 'SequenceExpression')
    for (const { start } of node.expressions.slice(1)) starts.push(start)
  for (const value of Object.values(node)) visit(value, starts)
}
