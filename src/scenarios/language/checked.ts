import { sharedByBuilds } from '../../core/contract/across-builds.ts'
import type { Contract } from '../../core/pipeline/operation.ts'

interface Checked {
  readonly name: string
  readonly contract: Contract
  readonly specs: ReadonlyMap<string, unknown>
  readonly isFrozen: boolean
}

const checked = new WeakMap<object, Checked>()

export function cacheChecked(
  data: object,
  name: string,
  contract: Contract,
  specs: ReadonlyMap<string, unknown>,
): void {
  checked.set(data, { name, contract, specs, isFrozen: isFrozen(data) })
}

/** Whether a file was valid under this name, and cannot have changed since, because it is frozen. */
export function isChecked(data: object, name: string, contract: Contract): boolean {
  const known = checked.get(data)
  return known !== undefined && known.isFrozen && known.name === name && known.contract === contract
}

export function checkedSpec(data: object, kind: string): unknown {
  return checked.get(data)?.specs.get(kind)
}

export function freeze<T>(value: T): T {
  // Primitive values count as frozen.
  if (Object.isFrozen(value)) return value
  for (const part of Object.values(value as object)) freeze(part)
  return Object.freeze(value)
}

function isFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
}

const files = sharedByBuilds('files', () => new WeakMap<object, string>())

export function setFile(data: object, file: string): void {
  files.set(data, file)
}

/** Returns the path of a scenario's file; `undefined` for a bundled scenario, or one from code. */
export function fileOf(data: object): string | undefined {
  return files.get(data)
}
