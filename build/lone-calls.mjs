// Finds calls of side-effect-free globals whose result is unused: such a call can only be there for its throw, and a
// bundler drops it. `npm run lint` runs it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

/** The global functions without side effects: they only return a value or throw. */
const functions = new Set(
  `decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape atob btoa structuredClone
  parseInt parseFloat isNaN isFinite Number String Boolean BigInt Symbol Object Array Date RegExp Map Set WeakMap WeakSet WeakRef
  Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError DOMException
  ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array
  Float64Array BigInt64Array BigUint64Array
  URL URLSearchParams URLPattern Headers Request Response Blob File FormData TextEncoder TextDecoder`.split(/\s+/),
)

/** The globals of which all functions have no side effects. */
const namespaces = new Set('Math JSON Intl Number String Symbol BigInt Date RegExp URL ArrayBuffer'.split(' '))

/** The functions without side effects of other globals. */
const methods = new Set(
  `Array.from Array.isArray Array.of Object.entries Object.fromEntries Object.getOwnPropertyDescriptor
  Object.getOwnPropertyDescriptors Object.getOwnPropertyNames Object.getOwnPropertySymbols Object.getPrototypeOf Object.groupBy
  Object.hasOwn Object.is Object.isExtensible Object.isFrozen Object.isSealed Object.keys Object.values Object.create
  Reflect.get Reflect.getPrototypeOf Reflect.has Reflect.ownKeys Reflect.getOwnPropertyDescriptor`.split(/\s+/),
)

/** Whether the name is a global function without side effects: `JSON.parse`. */
export const isOnlyForItsValue = (name) =>
  functions.has(name) || methods.has(name) || (name.includes('.') && namespaces.has(name.slice(0, name.indexOf('.'))))

/** Returns a message for every call whose only purpose is its throw. @param source the folder `src` */
export function loneCalls(source) {
  return readdirSync(source, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) =>
      inText(readFileSync(join(source, path), 'utf8'), path.endsWith('x') ? 'tsx' : 'ts').map(
        ({ line, name }) =>
          `src/${path}:${line}: nobody uses what ${name} gives, so the bundler may drop the call, and its throw. Return it, and compare: decode(text) === undefined.`,
      ),
    )
    .sort()
}

function inText(text, lang) {
  const program = parseAst(text, { lang })
  const own = namesOf(program)
  const found = []
  walk(program, (node) => {
    for (const { callee, start } of unusedIn(node)) {
      const name = toName(callee)
      if (name && !own.has(name.split('.')[0]) && isOnlyForItsValue(name))
        found.push({ line: text.slice(0, start).split('\n').length, name })
    }
  })
  return found
}

/** Returns the calls whose result a statement discards, or assigns to a variable that starts with `_`. */
function unusedIn(node) {
  if (node.type === 'ExpressionStatement') return callsOf(node.expression)
  if (node.type === 'UnaryExpression' && node.operator === 'void') return callsOf(node.argument)
  if (node.type === 'SequenceExpression') return node.expressions.slice(0, -1).flatMap(callsOf)
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.id.name.startsWith('_'))
    return callsOf(node.init)
  return []
}

/** Returns the calls whose result is the result of the expression. */
function callsOf(node) {
  switch (node?.type) {
    case 'CallExpression':
    case 'NewExpression':
      return [node]
    case 'LogicalExpression':
      return callsOf(node.right)
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(callsOf)
    case 'SequenceExpression':
      return callsOf(node.expressions.at(-1))
    case 'AwaitExpression':
    case 'UnaryExpression':
      return node.operator === 'void' ? [] : callsOf(node.argument)
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      return callsOf(node.expression)
    default:
      return []
  }
}

/** Returns a name such as `JSON.parse`, without `globalThis`; `undefined` for computed names. */
function toName(node) {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' || node.computed) return undefined
  const object = toName(node.object)
  if (object === undefined) return undefined
  return object === 'globalThis' ? node.property.name : `${object}.${node.property.name}`
}

/** Returns the names that a module imports or declares: these are not globals. */
function namesOf(program) {
  const names = new Set()
  walk(program, (node) => {
    if (/^Import\w*Specifier$/.test(node.type)) names.add(node.local.name)
    else if (/^(VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/.test(node.type)) names.add(node.id?.name)
  })
  return names
}

function walk(value, see) {
  if (typeof value !== 'object' || value === null) return
  if (typeof value.type === 'string') see(value)
  for (const part of Object.values(value)) walk(part, see)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = loneCalls(fileURLToPath(new URL('../src', import.meta.url)))
  for (const sentence of found) console.error(sentence)
  if (found.length > 0) process.exitCode = 1
}
