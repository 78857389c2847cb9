import { binarySearch } from '../core/store/binary-search.ts'
import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event } from 'js-yaml'

interface FilePosition {
  readonly line: number
  readonly column: number
}

export function createPlaces(text: string): (offset: number) => FilePosition {
  let starts: number[] | undefined
  return (offset) => {
    if (!starts) {
      starts = [0]
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
    }
    const known = starts
    const before = binarySearch(known.length - 1, (index) => known[index + 1]! <= offset)
    return { line: before + 1, column: offset - known[before]! + 1 }
  }
}

export function offsetOf(event: Event | undefined): number | undefined {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return undefined
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1
  if (event.type !== EVENT_ID.SCALAR) return event.start
  if (event.valueStart < 0) return undefined
  const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
  return isQuoted ? event.valueStart - 1 : event.valueStart
}

/** Returns a function that finds the offset of a path, or of its nearest existing parent. */
export function createLocator(text: string, events: readonly Event[]): (path: readonly PropertyKey[]) => number {
  let children: ReadonlyMap<number, readonly number[]> | undefined
  const fields = new Map<number, ReadonlyMap<string, readonly [key: number, value: number]>>()
  const root = 1

  function fieldsOf(node: number): ReadonlyMap<string, readonly [key: number, value: number]> {
    let known = fields.get(node)
    if (!known) {
      const parts = children!.get(node)!
      const pairs = parts.flatMap((key, index) =>
        index % 2 === 0 ? [[nameOf(text, events[key]!), [key, parts[index + 1]!]] as const] : [],
      )
      fields.set(node, (known = new Map(pairs)))
    }
    return known
  }

  return (path) => {
    children ??= listChildren(events)
    let offset = offsetOf(events[root]) ?? 0
    let node: number | undefined = root
    for (const step of path) {
      const type: number | undefined = node === undefined ? undefined : events[node]?.type
      const pair: readonly [number, number] | undefined =
        type === EVENT_ID.MAPPING ? fieldsOf(node!).get(String(step)) : undefined
      node = pair ? pair[1] : type === EVENT_ID.SEQUENCE ? children.get(node!)![Number(step)] : undefined
      const found: number | undefined = offsetOf(events[(pair ? pair[0] : node) ?? -1])
      if (found === undefined) break
      offset = found
    }
    return offset
  }
}

function nameOf(text: string, event: Event): string {
  return event.type === EVENT_ID.SCALAR && event.valueStart >= 0 ? getScalarValue(text, event) : ''
}

/** Returns the children of each list and map; for a map, keys and values alternate. */
function listChildren(events: readonly Event[]): Map<number, readonly number[]> {
  const children = new Map<number, number[]>()
  const open: number[][] = []
  for (const [index, { type }] of events.entries()) {
    if (type === EVENT_ID.POP) {
      open.pop()
      continue
    }
    open.at(-1)?.push(index)
    if (type === EVENT_ID.SCALAR || type === EVENT_ID.ALIAS) continue
    const own: number[] = []
    children.set(index, own)
    open.push(own)
  }
  return children
}
