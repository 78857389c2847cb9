/** A JSON pointer (RFC 6901); `''` is the root. */
export const jsonPointer = /^(\/([^~/]|~[01])*)*$/

export function toPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => '/' + String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('')
}

export const leftOut = Symbol('left out')

export class Several {
  readonly items: readonly unknown[]

  constructor(items: readonly unknown[]) {
    this.items = items
  }
}

/**
 * Returns a copy of `root` in which `change` has replaced the value at `path`; `root` itself if the path does not exist or
 * nothing changes. If only the last property is missing, `change` gets `undefined`.
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
