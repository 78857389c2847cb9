import { isMap, isNode, isScalar, Lexer, LineCounter, parseDocument, visit, type Document, type YAMLParseError, type YAMLWarning } from 'yaml'
import type { Problem } from '../core/problem.ts'

/** A parsed YAML file: its data, and where in the file each part of it stands. */
export interface YamlFile {
  readonly file: string
  readonly data: unknown
  /** Problems with the text itself; then there is no data. */
  readonly problems: Problem[]
  /** The problem with its line and column: of the field or item at its path, or of what is nearest above it. */
  locate(problem: Problem): Problem
}

/** Deeper than any fixture or scenario, and far from where the parser's recursion would end the process. */
const deepest = 100

/** One mistake in the syntax can bring thousands. */
const mostProblems = 20

/** A file that there is no data of. */
export function unreadable(file: string, message: string, line = 1, column = 1): YamlFile {
  return failed(file, [{ file, path: [], message, line, column }])
}

/** Parses YAML in UTF-8, with or without a byte order mark. Never throws. */
export function parseYamlBytes(file: string, bytes: Uint8Array): YamlFile {
  try {
    return parseYaml(file, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const wrong = new TextEncoder().encode(lossy).findIndex((byte, place) => byte !== bytes[place])
    const before = new TextDecoder('utf-8').decode(bytes.subarray(0, wrong)).split('\n')
    return unreadable(file, 'is not valid UTF-8', before.length, before.at(-1)!.length + 1)
  }
}

/** Parses YAML; integers beyond a double are bigints. Never throws. */
export function parseYaml(file: string, text: string): YamlFile {
  const lines = new LineCounter()
  const at = (offset: number, path: readonly PropertyKey[], message: string): Problem => {
    const { line, col } = lines.linePos(offset)
    return { file, path, message, line: line || 1, column: col || 1 }
  }
  const tooDeep = findTooDeep(text)
  if (tooDeep) return failed(file, [{ file, path: [], message: `nested deeper than ${deepest} levels`, ...tooDeep }])
  const document = parseDocument(text, { lineCounter: lines, intAsBigInt: true, prettyErrors: false, logLevel: 'error' })
  // A warning is of a tag or a directive that is not known: what it means to say would be lost.
  const wrong = document.errors.length > 0 ? document.errors : document.warnings
  if (wrong.length > 0) return failed(file, wrong.slice(0, mostProblems).map((error) => at(error.pos[0], [], toMessage(error, text))))
  try {
    const data = withSafeNumbers(document.toJS())
    return { file, data, problems: [], locate: (problem) => at(offsetOf(document, problem.path), problem.path, problem.message) }
  } catch (error) {
    // Only aliases can fail here: too many of them, or one that stands in what it refers to.
    const message = error instanceof ReferenceError ? error.message : 'an alias stands in what it refers to'
    return failed(file, [at(offsetOfAlias(document), [], message)])
  }
}

function failed(file: string, problems: Problem[]): YamlFile {
  return { file, data: undefined, problems, locate: (problem) => problem }
}

function toMessage({ code, message, pos }: YAMLParseError | YAMLWarning, text: string): string {
  if (code === 'MULTIPLE_DOCS') return 'Source contains multiple documents: expected one in each file'
  return code === 'DUPLICATE_KEY' ? `${message}: ${/^[^\s:]*/.exec(text.slice(pos[0]))![0]} is there already` : message
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true)
    const name = String(path[length - 1])
    const node = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value ?? '') === name)?.key
      : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range?.[0] ?? 0
}

function offsetOfAlias(document: Document): number {
  let offset = 0
  visit(document, {
    Alias(_, alias) {
      offset = alias.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}

/** Looks for too many levels without building any: the lexer does not recurse. */
function findTooDeep(text: string): { line: number; column: number } | undefined {
  let depth = 0
  let indicators = 0
  let line = 1
  let column = 1
  let isText = false
  for (const token of new Lexer().lex(text)) {
    if (isText || /^["']/.test(token)) isText = false
    else if (token === scalarFollows) isText = true
    else if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1)
    else if (token === '-' || token === '?') indicators++
    else if (depth === 0 && /^ +$/.test(token) && column === 1 && token.length > 2 * deepest) return { line, column: 2 * deepest }
    if (depth > deepest || indicators > deepest) return { line, column }
    for (const part of token.split(/(\n)/)) {
      if (part !== '\n') column += isMark.test(part) ? 0 : part.length
      else {
        line++
        column = 1
        indicators = 0
      }
    }
  }
  return undefined
}

/** What the lexer puts before the text of a scalar without quotes. */
const scalarFollows = '\x1f'

/** What the lexer adds to the text. */
// eslint-disable-next-line no-control-regex
const isMark = /^[\x02\x18\x1f]$/

function withSafeNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(withSafeNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withSafeNumbers(part)]))
}
