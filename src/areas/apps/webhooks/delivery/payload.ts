import { isObject } from '../../../../core/contract/options.ts'
import { mapStrings } from '../../../../core/text/values.ts'
import { toIso, toTimestamp } from '../../../../core/time/time-text.ts'
import type { WorldEvent } from '../../../../core/world/world-event.ts'
import { toFixtureTime, toRelativeTimestamp } from '../../../../core/time/fixture-time.ts'
import { parseJson, toJson } from '../../../../core/http/json.ts'

export function toPayload({ type, at, data }: Pick<WorldEvent, 'type' | 'at' | 'data'>): string {
  return toJson({
    type,
    timestamp: toIso(at),
    data,
  })
}

type Data = WorldEvent['data']

export function toFixtureDataFromPayload(payload: string, now: number): Data | undefined {
  try {
    const { data } = parseJson(payload) as { data: unknown }
    if (!isObject(data)) return undefined
    return mapStrings(data, (text) => {
      if (shownTime.test(text)) return toFixtureTime(toTimestamp(text), now)
      return text
    }) as Data
  } catch {
    return undefined
  }
}

const shownTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function toFixtureData(data: Data, now: number): Data {
  return mapStrings(data, (text) => resolveRelativeTime(text, now)) as Data
}

function resolveRelativeTime(text: string, now: number): string {
  try {
    const at = toRelativeTimestamp(text, now)
    return at === undefined ? text : toIso(at)
  } catch {
    return text
  }
}
