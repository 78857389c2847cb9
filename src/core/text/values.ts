/** The members of an object, by name. Nothing is known of their values. */
export type Fields = Readonly<Record<string, unknown>>

/** Texts by name: headers, parameters, what is typed into a form. */
export type Texts = Readonly<Record<string, string>>

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}

/**
 * Returns a copy of JSON data with every string replaced. @param replace gets a string and the name
 * of its field.
 */
export function mapStrings(
  value: unknown,
  replace: (text: string, name: string) => unknown,
  name = '',
): unknown {
  if (typeof value === 'string') return replace(value, name)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace, name))
  if (
    typeof value !== 'object' ||
    value === null ||
    ArrayBuffer.isView(value) ||
    writesItself(value)
  )
    return value
  return mapFields(value as Fields, (part, field) => mapStrings(part, replace, field))
}

/** Returns a copy of an object with every member replaced. */
export function mapFields<T, Made>(
  fields: Readonly<Record<string, T>>,
  change: (value: T, name: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, change(value, name)]),
  )
}

/**
 * Returns whether an object is written otherwise than its fields: a number with a fraction that no
 * double has.
 */
export function writesItself(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function'
}

/** The result of `slice` may be a view: a world's name from a URL of 15 KB would keep all 15 KB. */
export function copied(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

/**
 * Returns whether two plain values are equal, whatever the order of their fields. A field that is
 * `undefined` counts as absent.
 */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false
  if (Array.isArray(one) !== Array.isArray(other) || writesItself(one) !== writesItself(other))
    return false
  if (writesItself(one)) return JSON.stringify(one) === JSON.stringify(other)
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
    isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  )
}

/**
 * Returns the index of the first item for which `isBefore` is false, or the length; it must be true
 * for all before.
 */
export function binarySearch<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

export function globFilter(
  patterns: string | readonly string[] | undefined,
): (name: string) => boolean {
  if (patterns === undefined) return () => true
  const globs = [patterns].flat().map((pattern) => pattern.split('*'))
  return (name) => globs.some((parts) => fitsChildren(name, parts))
}

export function fitsChildren(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

/** Returns a text without its percent-encoding; `undefined` if that is not valid. */
export function decodeIfValid(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function decodeWherePossible(text: string): string {
  return decodeIfValid(text) ?? text
}

/**
 * Returns whether a text has more characters than a limit. A character may take two units; a text
 * that is far longer is not counted.
 */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

export function isShorter(text: string, min: number): boolean {
  return text.length < 2 * min && [...text].length < min
}

/** A listener may be added twice. Returns a function that removes it. */
export function addListener<T>(
  listeners: Set<(value: T) => void>,
  listener: (value: T) => void,
): () => void {
  const own = (value: T) => listener(value)
  listeners.add(own)
  return () => void listeners.delete(own)
}

/** Returns the items of a list, which may be bare or in `data`; nothing for another reply. */
export function itemsOf(reply: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(reply) ? reply : valueAt(reply, ['data'])
  return Array.isArray(list) ? list : undefined
}

/** The names of the parameters in a path: `'id'` of `/plants/{id}/water`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/** Returns the names in the braces of a path. */
export function namesInPath(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}
