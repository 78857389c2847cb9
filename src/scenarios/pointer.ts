/** A JSON pointer (RFC 6901); `''` is the root. */
export const jsonPointer = /^(\/([^~/]|~[01])*)*$/

/** The steps of a JSON pointer: `/0/name` → `['0', 'name']`. */
export function toPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The JSON pointer of these steps. */
export function toPointer(path: readonly string[]): string {
  return path.map((step) => '/' + step.replaceAll('~', '~0').replaceAll('/', '~1')).join('')
}

/** Stands for a value that is to be left out. */
export const leftOut = Symbol('left out')

/** Several values in the place of one item. */
export class Several {
  readonly items: readonly unknown[]

  constructor(items: readonly unknown[]) {
    this.items = items
  }
}

/** The value at `path`; `undefined` when there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/**
 * A copy of `root` with what `change` makes of the value at `path`; `root` itself where the path leads nowhere or nothing
 * changes. A last step that an object does not have is a value of `undefined`.
 */
export function changeAt(root: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  if (path.length === 0) return change(root)
  const [step, ...rest] = path as [string, ...string[]]
  return Array.isArray(root)
    ? changeItem(root, step, (item) => changeAt(item, rest, change))
    : changeProperty(root, step, rest, change)
}

function changeItem(list: readonly unknown[], step: string, change: (item: unknown) => unknown): unknown {
  const index = /^(0|[1-9]\d*)$/.test(step) ? Number(step) : list.length
  if (index >= list.length) return list
  const item = change(list[index])
  if (item === list[index]) return list
  if (item === leftOut) return list.toSpliced(index, 1)
  return item instanceof Several ? list.toSpliced(index, 1, ...item.items) : list.with(index, item)
}

function changeProperty(
  root: unknown,
  step: string,
  rest: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (typeof root !== 'object' || root === null) return root
  const fields = root as Record<string, unknown>
  const present = Object.hasOwn(fields, step)
  if (!present && rest.length > 0) return root
  const former = present ? fields[step] : undefined
  const changed = changeAt(former, rest, change)
  if (changed === former || (changed === leftOut && !present)) return root
  return Object.fromEntries(
    (present ? Object.entries(fields) : [...Object.entries(fields), [step, undefined] as const])
      .map(([name, field]) => [name, name === step ? changed : field] as const)
      .filter(([, field]) => field !== leftOut),
  )
}
