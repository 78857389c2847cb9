import {
  type AliasEvent,
  constructFromEvents,
  CORE_SCHEMA,
  type Event,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml'
import { toReason } from '../core/contract/errors.ts'
import type { Problem } from '../core/contract/problem.ts'
import { brief } from '../core/text/messages.ts'
import { Fraction, toExactNumber } from '../core/http/json.ts'
import { binarySearch, type Fields, mapFields, type Texts } from '../core/text/values.ts'

/** A file of YAML or JSON that was read. */
export interface YamlFile {
  readonly file: string
  readonly data: unknown
  /** The problems of the text itself. If there are any, there is no data. */
  readonly problems: Problem[]
  /** Adds the line and the column of a problem's path. */
  locate(problem: Problem): Problem
}

/** The maximum depth: more than any fixture or scenario needs, and far from a stack overflow. */
const maxDepth = 100

/** How many values the aliases of a file may add: an alias in an alias can add billions. */
const maxAliased = 10_000

/**
 * YAML 1.2 with exact numbers: integers beyond a double are bigints, and `1e16` or
 * `9007199254740993.0` are read as in JSON.
 */
const schema = CORE_SCHEMA.withTags(
  {
    ...intCoreTag,
    resolve(source, isExplicit, name) {
      const value = intCoreTag.resolve(source, isExplicit, name)
      if (typeof value !== 'number' || Number.isSafeInteger(value)) return value === 0 ? 0 : value
      const sign = source.startsWith('-') ? -1n : 1n
      return sign * BigInt(source.replace(/^[+-]/, ''))
    },
  },
  {
    ...floatCoreTag,
    resolve(source, isExplicit, name) {
      const value = floatCoreTag.resolve(source, isExplicit, name)
      if (value === NOT_RESOLVED || !Number.isFinite(value)) return value
      return toExactNumber(source)
    },
  },
)

export function toUnreadable(file: string, message: string, line = 1, column = 1): YamlFile {
  return {
    file,
    data: undefined,
    problems: [{ file, path: [], message, line, column }],
    locate: (problem) => problem,
  }
}

/** Parses YAML in UTF-8, with or without a byte order mark. Never throws. */
export function parseYamlBytes(file: string, bytes: Uint8Array): YamlFile {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The first byte that differs after decoding and encoding is the wrong one.
    const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const wrong = new TextEncoder().encode(lossy).findIndex((byte, index) => byte !== bytes[index])
    const before = new TextDecoder('utf-8').decode(bytes.subarray(0, wrong))
    const { line, column } = createPositionFinder(before)(before.length)
    return toUnreadable(file, 'is not valid UTF-8', line, column)
  }
  return parseYaml(file, text)
}

/** Parses YAML. A mistake in the text is a problem of the file. Never throws. */
export function parseYaml(file: string, text: string): YamlFile {
  const positionOf = createPositionFinder(text)
  const fail = (message: string, offset: number) => {
    const { line, column } = positionOf(offset)
    return toUnreadable(file, message, line, column)
  }
  let events: Event[] = []
  try {
    events = parseEvents(text, { maxDepth })
    const second = events.findIndex(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT)
    if (second !== -1) {
      const node = offsetOf(events[second + 1])
      const marker = Math.max(text.lastIndexOf('\n---', node), text.lastIndexOf('\n...', node)) + 1
      return fail('Source contains multiple documents: expected one in each file', marker)
    }
    const [data = null] = constructFromEvents(events, {
      source: text,
      schema,
    })
    const locate = createLocator(text, events)
    return {
      file,
      data: events.some(isAlias) ? withOwnCopies(data, events.length + maxAliased) : data,
      problems: [],
      locate: ({ path, message }) => ({
        file,
        path,
        message,
        ...positionOf(locate(path)),
      }),
    }
  } catch (error) {
    return fail(...locateMistake(error, text, events))
  }
}

/** Returns what is wrong with a text, and the offset of it. */
function locateMistake(error: unknown, text: string, events: Event[]): [string, number] {
  if (error instanceof AliasError) return [error.message, offsetOf(events.find(isAlias)) ?? 0]
  if (!(error instanceof YAMLException)) return [toReason(error), 0]
  const offset = error.mark?.position ?? 0
  if (error.reason.startsWith('nesting exceeded'))
    return [`nested deeper than ${maxDepth} levels`, offset]
  if (error.reason !== 'duplicated mapping key')
    return [error.reason + (hints[error.reason] ?? ''), offset]
  // An empty key without a tag or an anchor is reported at 0, where no second key begins.
  const key = offset === 0 ? undefined : events.find((event) => isKeyAt(event, offset))
  const name =
    key?.type === EVENT_ID.ALIAS
      ? text.slice(key.anchorStart - 1, key.anchorEnd)
      : key && getScalarValue(text, key)
  return [
    `Map keys must be unique: ${name ? brief(name) : 'an empty key'} exists already`,
    offsetOf(key) ?? offset,
  ]
}

/** Returns whether js-yaml reports an event at an offset: at its tag, its anchor, or its value. */
function isKeyAt(event: Event, offset: number): event is ScalarEvent | AliasEvent {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart === offset
  if (event.type !== EVENT_ID.SCALAR) return false
  return [event.tagStart, event.anchorStart, event.valueStart].find((at) => at >= 0) === offset
}

const hints: Texts = {
  'deficient indentation':
    ': indent the text in brackets, and the closing bracket, more than the key before them',
}

const isAlias = ({ type }: Event) => type === EVENT_ID.ALIAS

class AliasError extends Error {}

/**
 * Gives each alias its own copy of its target. @throws AliasError if an alias contains itself, or
 * there are too many values.
 */
function withOwnCopies(data: unknown, max: number): unknown {
  let left = max
  const enclosing = new Set<unknown>()
  const copy = (value: unknown): unknown => {
    if (left-- === 0) throw new AliasError(`aliases add more than ${maxAliased} values`)
    if (typeof value !== 'object' || value === null || value instanceof Fraction) return value
    if (enclosing.has(value)) throw new AliasError('an alias refers to a value that contains it')
    enclosing.add(value)
    const copied = Array.isArray(value) ? value.map(copy) : mapFields(value as Fields, copy)
    enclosing.delete(value)
    return copied
  }
  return copy(data)
}

/** Returns a function that converts an offset to a line and a column. */
function createPositionFinder(text: string) {
  let starts: number[] | undefined
  return (offset: number) => {
    if (!starts) {
      starts = [0]
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1))
        starts.push(end + 1)
    }
    const line = binarySearch(starts, (start) => start <= offset)
    return {
      line,
      column: offset - (starts[line - 1] ?? 0) + 1,
    }
  }
}

/** Returns where a value begins in the text, with its quote or the `*` of an alias. */
function offsetOf(event: Event | undefined): number | undefined {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
    return undefined
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1
  if (event.type !== EVENT_ID.SCALAR) return event.start
  if (event.valueStart < 0) return undefined
  const isQuoted =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
  if (isQuoted) return event.valueStart - 1
  return event.valueStart
}

/** Where a value is in the text. */
interface YamlPlace {
  /**
   * Where the key of the value begins, or the value itself if it has no key; `undefined` for a
   * value that is not written, as after `name:`.
   */
  readonly offset: number | undefined
  /** The places of the members or items. */
  readonly parts?: ReadonlyMap<string, YamlPlace>
}

/** Returns a function that finds the offset of a path, or of its nearest existing parent. */
function createLocator(
  text: string,
  events: readonly Event[],
): (path: readonly PropertyKey[]) => number {
  let root: YamlPlace | undefined
  return (path) => {
    let place = (root ??= toPlaces(text, events))
    let offset = place.offset ?? 0
    for (const step of path) {
      const part = place.parts?.get(String(step))
      if (part?.offset === undefined) break
      place = part
      offset = part.offset
    }
    return offset
  }
}

function toPlaces(text: string, events: readonly Event[]): YamlPlace {
  // The first event is the document.
  let next = 1
  return read()

  function read(): YamlPlace {
    const event = events[next++]
    const offset = offsetOf(event)
    if (event?.type !== EVENT_ID.MAPPING && event?.type !== EVENT_ID.SEQUENCE) return { offset }
    const parts = new Map<string, YamlPlace>()
    while (events[next]!.type !== EVENT_ID.POP) {
      const first = events[next]!
      const place = read()
      if (event.type === EVENT_ID.SEQUENCE) parts.set(String(parts.size), place)
      else
        parts.set(nameOfEvent(text, first), {
          ...read(),
          offset: place.offset,
        })
    }
    next++
    return { offset, parts }
  }
}

function nameOfEvent(text: string, event: Event): string {
  if (event.type === EVENT_ID.SCALAR && event.valueStart >= 0) return getScalarValue(text, event)
  return ''
}
