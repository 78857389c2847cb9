import { isMap, isNode, isPair, isScalar, LineCounter, parseDocument, type Document } from 'yaml'
import type { Problem } from '../core/problem.ts'

/** A parsed YAML file: its data, and where in the file each part of it stands. */
export interface YamlFile {
  readonly file: string
  readonly data: unknown
  /** Problems with the text itself; then there is no data. */
  readonly problems: Problem[]
  /** The problem with its line and column: of the value at its path, or of what is nearest above it. */
  locate(problem: Problem): Problem
}

/** Deeper than any fixture or scenario, and far from where the parser's recursion would end the process. */
const deepest = 100

/** Parses YAML; integers beyond a double are bigints. Never throws. */
export function parseYaml(file: string, text: string): YamlFile {
  const lines = new LineCounter()
  const at = (offset: number, path: readonly PropertyKey[], message: string): Problem => {
    const { line, col } = lines.linePos(offset)
    return { file, path, message, line: line || 1, column: col || 1 }
  }
  const failed = (problems: Problem[]): YamlFile => ({ file, data: undefined, problems, locate: (problem) => problem })
  const tooDeep = findTooDeep(text)
  if (tooDeep) return failed([{ file, path: [], message: `nested deeper than ${deepest} levels`, ...tooDeep }])
  const document = parseDocument(text, { lineCounter: lines, intAsBigInt: true, prettyErrors: false })
  if (document.errors.length > 0) return failed(document.errors.map((error) => at(error.pos[0], [], error.message)))
  try {
    const data = withSafeNumbers(document.toJS())
    return { file, data, problems: [], locate: (problem) => at(offsetOf(document, problem.path), problem.path, problem.message) }
  } catch (error) {
    return failed([at(0, [], (error as Error).message)])
  }
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true)
    const step = path[length - 1]!
    if (isMap(parent)) {
      const key = parent.items.find((pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(step))?.key
      const value = document.getIn(path.slice(0, length), true)
      const isUnknownField = length === path.length && !isNode(value)
      if (isNode(key) && (isUnknownField || !isNode(value) || !value.range)) return key.range?.[0] ?? 0
    }
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0
}

function findTooDeep(text: string): { line: number; column: number } | undefined {
  let depth = 0
  for (const [index, line] of text.split('\n').entries()) {
    const indentation = /^[\s?:-]*/.exec(line)![0].length
    if (indentation > 2 * deepest) return { line: index + 1, column: 2 * deepest }
    for (let column = 0; column < line.length; column++) {
      if (line[column] === '[' || line[column] === '{') depth++
      else if (line[column] === ']' || line[column] === '}') depth = Math.max(0, depth - 1)
      if (depth > deepest) return { line: index + 1, column: column + 1 }
    }
  }
  return undefined
}

function withSafeNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(withSafeNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withSafeNumbers(part)]))
}
