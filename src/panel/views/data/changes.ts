import { toJson } from '../../../core/http/json.ts'
import type { RecordValue } from '../../data/shapes.ts'

/** Returns the fields that turn one record into another: `null` deletes a field. */
export function changesBetween(before: RecordValue, after: RecordValue): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names].filter((name) => !isSameJson(before[name], after[name])).map((name) => [name, after[name] ?? null]),
  )
}

/** Whether two values are the same JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other)
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : toJson(value)
}
