import { isScalar, LineCounter, parseDocument, visit, type Document, type YAMLParseError, type YAMLWarning } from 'yaml'
import { Fraction, toExactNumber } from '../core/http/exact-number.ts'
import type { Problem } from '../core/definitions/problem.ts'
import { brief } from '../core/definitions/quote.ts'
import { findTooDeep } from './yaml-depth.ts'
import { createLocator, offsetOfAlias, toName } from './yaml-places.ts'

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
  const tooDeep = findTooDeep(text, deepest)
  if (tooDeep) return failed(file, [{ file, path: [], message: `nested deeper than ${deepest} levels`, ...tooDeep }])
  const document = parseDocument(text, {
    lineCounter: lines,
    intAsBigInt: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  const errors = [...document.errors.map(toMistake), ...readScalars(document)].sort((a, b) => a.offset - b.offset)
  // A warning is of a tag or a directive that is not known: what it means to say would be lost.
  const wrong = errors.length > 0 ? errors : document.warnings.map(toMistake)
  if (wrong.length > 0)
    return failed(
      file,
      wrong.slice(0, mostProblems).map(({ offset, message }) => at(offset, [], message)),
    )
  const locate = createLocator(document)
  try {
    const data = withSafeNumbers(document.toJS())
    return { file, data, problems: [], locate: (problem) => at(locate(problem.path), problem.path, problem.message) }
  } catch (error) {
    // Only aliases can fail here: too many of them, or one that stands in what it refers to.
    const message = error instanceof ReferenceError ? error.message : 'an alias refers to a value that contains it'
    return failed(file, [at(offsetOfAlias(document), [], message)])
  }
}

/** Something that is wrong with the text, and where. */
interface Mistake {
  readonly offset: number
  readonly message: string
}

function failed(file: string, problems: Problem[]): YamlFile {
  return { file, data: undefined, problems, locate: (problem) => problem }
}

function toMistake({ code, message, pos }: YAMLParseError | YAMLWarning): Mistake {
  return {
    offset: pos[0],
    message: code === 'MULTIPLE_DOCS' ? 'Source contains multiple documents: expected one in each file' : message,
  }
}

/**
 * Gives floats that are integers exactly, as in JSON: `1e16`, `9007199254740993.0`. Returns the keys that their map has
 * already; the parser's own check compares each key with all before it, which takes seconds for 20,000.
 */
function readScalars(document: Document): Mistake[] {
  const found: Mistake[] = []
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'number' && Number.isFinite(scalar.value) && scalar.source !== undefined)
        scalar.value = toExactNumber(scalar.source)
    },
    Map(_, map) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        const name = toName(key)
        if (seen.has(name))
          found.push({
            offset: key.range?.[0] ?? 0,
            message: `Map keys must be unique: ${brief(key.source ?? name)} exists already`,
          })
        seen.add(name)
      }
    },
  })
  return found
}

function withSafeNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(withSafeNumbers)
  if (typeof value !== 'object' || value === null || value instanceof Fraction) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withSafeNumbers(part)]))
}
