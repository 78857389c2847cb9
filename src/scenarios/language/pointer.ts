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

type ValueChange = (value: unknown) => readonly unknown[]

/**
 * Returns a copy of `root` in which the value at `path` is replaced by what `change` returns: none
 * leaves it out, several are items of a list. Returns `root` itself if the path does not exist or
 * nothing changes. If only the last property is missing, `change` gets `undefined`.
 */
export function changeAt(root: unknown, path: readonly string[], change: ValueChange): unknown {
  return changedAt(root, path, change)[0]
}

function changedAt(
  value: unknown,
  path: readonly string[],
  change: ValueChange,
): readonly unknown[] {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const index = /^(0|[1-9]\d*)$/.test(step) ? Number(step) : value.length
    if (index >= value.length) return [value]
    const items = changedAt(value[index], rest, change)
    return [isOnly(items, value[index]) ? value : value.toSpliced(index, 1, ...items)]
  }
  if (typeof value !== 'object' || value === null) return [value]
  const fields = value as Record<string, unknown>
  const isPresent = Object.hasOwn(fields, step)
  if (!isPresent && rest.length > 0) return [value]
  const former = isPresent ? fields[step] : undefined
  const items = changedAt(former, rest, change)
  if (isOnly(items, former) || (!isPresent && items.length === 0)) return [value]
  if (items.length > 0) return [{ ...fields, [step]: items.at(-1) }]
  return [Object.fromEntries(Object.entries(fields).filter(([name]) => name !== step))]
}

function isOnly(items: readonly unknown[], former: unknown): boolean {
  return items.length === 1 && items[0] === former
}
