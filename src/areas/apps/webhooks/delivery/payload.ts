import { toIso } from '../../../../core/time/clock.ts'
import type { WorldEvent } from '../../../../core/definitions/events.ts'
import { toRelativeTimestamp } from '../../../../core/time/fixture-time.ts'
import { toJson } from '../../../../core/http/json.ts'

/** The JSON text that tells of an event. */
export function toPayload({ type, at, data }: Pick<WorldEvent, 'type' | 'at' | 'data'>): string {
  return toJson({ type, timestamp: toIso(at), data })
}

/** An event's data from a fixture: a text that is nothing but a time that counts from the start becomes that time. */
export function toFixtureData(value: unknown, now: number): unknown {
  if (typeof value === 'string') return toShownTime(value, now)
  if (Array.isArray(value)) return value.map((part) => toFixtureData(part, now))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toFixtureData(part, now)]))
}

function toShownTime(text: string, now: number): string {
  try {
    const at = toRelativeTimestamp(text, now)
    return at === undefined ? text : toIso(at)
  } catch {
    return text
  }
}
