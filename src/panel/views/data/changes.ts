import { isSameJson } from '../../data/json.ts'
import type { RecordValue } from '../../data/shapes.ts'

/** Returns the fields that turn one record into another: `null` deletes a field. */
export function changesBetween(before: RecordValue, after: RecordValue): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names].filter((name) => !isSameJson(before[name], after[name])).map((name) => [name, after[name] ?? null]),
  )
}
