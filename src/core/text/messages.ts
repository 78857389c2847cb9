import { codedError } from './error-codes.ts'
import { distance } from 'fastest-levenshtein'
import { globFilter, writesItself } from './values.ts'

export const maxRepeated = 100

const longestMessage = 1_000

export const longestReason = 8_192

export function quote(text: string): string {
  return JSON.stringify(brief(text))
}

export function brief(text: string): string {
  return shorten(text, maxRepeated)
}

export function briefMessage(text: string): string {
  return shorten(text, longestMessage)
}

const ofWord = /[\w.~%+=-]/

export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  // Nobody recognizes the beginning of a secret as one, and half of a character of two units would
  // not be valid Unicode.
  let end = length
  while (ofWord.test(text.charAt(end - 1))) end--
  const shown = text.slice(0, end).replace(/[\ud800-\udbff]$/, '')
  return `${shown}… (${text.length} characters)`
}

/** No known name is longer, so a longer text is not a typo. */
const longest = 100

const maxCompared = 1_000

const shortestPart = 4

export function suggest(wrong: string, known: readonly string[]): string {
  if (wrong.length > longest) return ''
  const maxDistance = Math.max(2, wrong.length / 3)
  let best: string | undefined
  let nearest = Infinity
  let compared = 0
  for (const name of known) {
    // The difference in length is already too large.
    if (Math.abs(name.length - wrong.length) > maxDistance) continue
    if (++compared > maxCompared) break
    const difference = distance(wrong, name)
    if (
      difference >= nearest ||
      difference > maxDistance ||
      difference >= Math.max(wrong.length, name.length)
    )
      continue
    nearest = difference
    best = name
  }
  best ??= known.find((name) => wrong.length >= shortestPart && isPart(wrong, name))
  if (best === undefined) return ''
  return ` Did you mean "${best}"?`
}

/**
 * `there is no field "nmae". Did you mean "name"?` @param problem the clause before the full stop.
 * @param lists whether to list the known names
 */
export function describeProblem(
  problem: string,
  name: string,
  known: readonly string[],
  lists = false,
): string {
  const expected = lists ? `; expected one of ${listNames(name, known)}` : ''
  return `${problem}${expected}.${suggest(name, known)}`
}

/** Nobody reads a longer list. */
const longestList = 16

const maxNamed = 5

/** Lists the known names, or of many those that are most like the wrong one. */
function listNames(wrong: string, known: readonly string[]): string {
  if (known.length <= longestList) return known.join(', ')
  const start = wrong.slice(0, longest)
  const nearest = [...known].sort((one, other) => distance(start, one) - distance(start, other))
  return nameSome(nearest, maxNamed)
}

/** Names the first ones of a list: `a, b and 4 more`. */
export function nameSome(names: readonly string[], max: number): string {
  const named = names.slice(0, max).join(', ')
  if (names.length > max) return `${named} and ${names.length - max} more`
  return named
}

/** Returns the words of a text as a name has them: `Apps are down` becomes `apps-are-down`. */
export function toSlug(text: string): string {
  const words = text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return words.replace(/^-|-$/g, '')
}

/** Describes a problem in a sentence that goes on: without a full stop at its end. */
export function describeClause(problem: string, name: string, known: readonly string[]): string {
  return describeProblem(problem, name, known).replace(/\.$/, '')
}

/**
 * Returns a predicate on known names with dots. @throws RangeError for a pattern without a match
 */
export function knownFilter(
  what: string,
  patterns: string | readonly string[],
  known: readonly string[],
) {
  const globs = new Set(
    known.flatMap((id) => Array.from(id.matchAll(/\./g), ({ index }) => `${id.slice(0, index)}.*`)),
  )
  for (const pattern of [patterns].flat())
    if (!known.some(globFilter(pattern)))
      throw codedError(
        'GREENHOUSE_UNKNOWN_NAME',
        describeProblem(`Found no ${what} called ${quote(pattern)}`, pattern, [...known, ...globs]),
      )
  return globFilter(patterns)
}

export function toList(values: readonly unknown[]): string {
  const written = values.map((value) => JSON.stringify(value)).join(', ')
  if (values.length === 1) return written
  return `one of ${written}`
}

export function isSlip(wrong: string, name: string): boolean {
  const lettersOf = (text: string) => [...text].sort().join()
  const difference = distance(wrong, name)
  return difference === 1 || (difference === 2 && lettersOf(wrong) === lettersOf(name))
}

function isPart(part: string, name: string): boolean {
  const at = name.indexOf(part)
  return at >= 0 && isEnd(name[at - 1]) && isEnd(name[at + part.length])
}

function isEnd(character: string | undefined): boolean {
  return character === undefined || '-_.:/'.includes(character)
}

export function showValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'function':
      if (/Async/.test(Object.prototype.toString.call(value))) return 'an async function'
      return 'a function'
    case 'object':
      return showObject(value)
    default:
      return brief(String(value))
  }
}

/** Shows what was received. Of a list and an object, it says only that it is one. */
export function showReceived(value: unknown, objectWord = 'an object'): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null && !writesItself(value)) return objectWord
  return showValue(value)
}

function showObject(value: object | null): string {
  try {
    return brief(
      JSON.stringify(value, (_, part: unknown) => {
        if (typeof part === 'bigint') return String(part)
        return part
      }) ?? 'an object',
    )
  } catch {
    if (Array.isArray(value)) return 'a list'
    return 'an object'
  }
}

/**
 * What terminals and CI logs act on, or what reorders text: control characters (C0, C1, DEL), line
 * and paragraph separators, bidirectional marks; the `##` of a command such as `##[error]`, which
 * counts anywhere in a line.
 */
const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|##(?=\[|vso\[|teamcity\[)/g

/** A command of a CI, such as `::error::`, begins a line, after any space. */
const commandStart = /^[^\S\n\r\u2028\u2029]*::/gm

/** Escapes what a terminal or a CI acts on, in one line of text: `\x1b`, `\u202e`. */
export function toVisible(text: string): string {
  return text.replace(unsafe, showCharacter)
}

export function toVisibleLines(text: string): string {
  const visible = text.replace(commandStart, showCharacter)
  return visible.replace(unsafe, (found) => {
    if ('\t\n'.includes(found)) return found
    return showCharacter(found)
  })
}

function showCharacter(found: string): string {
  if (found === '\n') return '\\n'
  const code = found.charCodeAt(found.length - 1)
  const escape = code <= 0x9f ? `\\x${code.toString(16).padStart(2, '0')}` : toUnicodeEscape(code)
  return found.slice(0, -1) + escape
}

/** Escapes the same in JSON text, which still stands for the same value. */
export function toVisibleJson(json: string): string {
  return json.replace(
    unsafe,
    (found) => found.slice(0, -1) + toUnicodeEscape(found.charCodeAt(found.length - 1)),
  )
}

function toUnicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function describeMore(all: number, shown: number): string[] {
  if (all > shown) return [`… and ${all - shown} more`]
  return []
}

export function joinNames(names: readonly string[], conjunction: 'and' | 'or'): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(` ${conjunction} `)
}

export function countTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Writes a scenario as the header and the flags take it. Separators in values, and what no header
 * can hold, are encoded.
 */
export function toScenarioText({ name, ...options }: { readonly name: string }): string {
  const pairs = Object.entries(options).map(
    ([option, value]) => `${option}=${encodeValue(String(value))}`,
  )
  if (pairs.length === 0) return name
  return `${name}:${pairs.join(',')}`
}

function encodeValue(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[%,;]|[^ -~]|^ | $/gu, (character) => encodeURIComponent(character))
}

/** Nothing in the data can end the literal, its line, a comment around it or a script element. */
export function toLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return toSingleQuoted(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  // An exact number of our JSON reader, and not data with such a field.
  if (writesItself(value)) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((part) => toLiteral(part, inner))
    : Object.entries(value).flatMap(([name, part]) => {
        if (part === undefined) return []
        return `${toPropertyCode(name)}: ${toLiteral(part, inner)}`
      })
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const space = open === '{' && parts.length > 0 ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length <= longestLine && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

const longestLine = 100

function toSingleQuoted(text: string): string {
  const escaped = toVisibleJson(JSON.stringify(text))
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
  return `'${escaped.replace(/([*<])(?=[/!])/g, '$1\\')}'`
}

function toPropertyCode(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  if (/^[a-z_$][\w$]*$/i.test(name)) return name
  return toSingleQuoted(name)
}
