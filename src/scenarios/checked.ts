import type { Contract } from '../core/pipeline/contract.ts'

/** What a check of a scenario's file found sound. */
interface Checked {
  readonly name: string
  readonly contract: Contract
  /** What its members ask for with the defaults of its options, by the names of the effect kinds. */
  readonly specs: ReadonlyMap<string, unknown>
  /** Whether nothing of it can have changed since. */
  readonly isFrozen: boolean
}

const checked = new WeakMap<object, Checked>()

/** Remembers that a file is sound, and what it asks for, so that nobody reads it again. */
export function keepChecked(data: object, name: string, contract: Contract, specs: ReadonlyMap<string, unknown>): void {
  checked.set(data, { name, contract, specs, isFrozen: isFrozen(data) })
}

/** Whether a file is sound under that name, and can't have changed since it was checked. */
export function isChecked(data: object, name: string, contract: Contract): boolean {
  const known = checked.get(data)
  return known !== undefined && known.isFrozen && known.name === name && known.contract === contract
}

/** What a member asks for with the options' defaults, where a check read it; `undefined` when none did. */
export function checkedSpec(data: object, kind: string): unknown {
  return checked.get(data)?.specs.get(kind)
}

/** Freezes plain data, all of it. */
export function freeze<T>(value: T): T {
  // What is no object counts as frozen.
  if (Object.isFrozen(value)) return value
  for (const part of Object.values(value as object)) freeze(part)
  return Object.freeze(value)
}

function isFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
}
