import { toIso, toTimestamp } from '../../../../core/time/time-text.ts'
import type { WorldEvent } from '../../../../core/world/world.ts'
import { toFixtureTime, toRelativeTimestamp } from '../../../../core/time/fixture-time.ts'
import { parseJson, toJson } from '../../../../core/http/json.ts'

export function toPayload({ type, at, data }: Pick<WorldEvent, 'type' | 'at' | 'data'>): string {
  return toJson({ type, timestamp: toIso(at), data })
}

export function toFixtureDataFromPayload(payload: string, now: number): unknown {
  try {
    return toWrittenData((parseJson(payload) as { data?: unknown } | null)?.data, now)
  } catch {
    return undefined
  }
}

function toWrittenData(value: unknown, now: number): unknown {
  if (typeof value === 'string') return shownTime.test(value) ? toFixtureTime(toTimestamp(value), now) : value
  if (Array.isArray(value)) return value.map((part) => toWrittenData(part, now))
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toWrittenData(part, now)]))
}

const shownTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function toFixtureData(value: unknown, now: number): unknown {
  if (typeof value === 'string') return resolveRelativeTime(value, now)
  if (Array.isArray(value)) return value.map((part) => toFixtureData(part, now))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toFixtureData(part, now)]))
}

function resolveRelativeTime(text: string, now: number): string {
  try {
    const at = toRelativeTimestamp(text, now)
    return at === undefined ? text : toIso(at)
  } catch {
    return text
  }
}
