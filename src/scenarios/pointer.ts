import { leftOut, malformed, type Malformation } from './malformation.ts'

/** The steps of a JSON pointer (RFC 6901): `/0/name` → `['0', 'name']`. */
export function toPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A copy of `value` with the value at `path` malformed; `value` itself where the path leads nowhere. `extra` is added beside what the path names. */
export function changeAt(value: unknown, path: readonly string[], kind: Malformation): unknown {
  if (path.length === 0) return malformed(value, kind)
  const [step, ...rest] = path as [string, ...string[]]
  if (Array.isArray(value)) {
    const index = Number(step)
    if (!(index < value.length)) return value
    const item = changeAt(value[index], rest, kind)
    if (item === value[index]) return value
    return item === leftOut ? value.toSpliced(index, 1) : value.with(index, item)
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  if (kind === 'extra' && rest.length === 0 && !isObject(fields[step])) return malformed(value, kind)
  const present = Object.hasOwn(fields, step)
  if (!present && (rest.length > 0 || kind === 'missing')) return value
  const changed = changeAt(fields[step], rest, kind)
  if (present && changed === fields[step]) return value
  return Object.fromEntries(
    (present ? Object.entries(fields) : [...Object.entries(fields), [step, undefined] as const])
      .map(([name, field]) => [name, name === step ? changed : field] as const)
      .filter(([, field]) => field !== leftOut),
  )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
