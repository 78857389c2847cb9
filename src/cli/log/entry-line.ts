import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { toTimestamp } from '../../core/time/clock.ts'
import { toNamedWorld, toLogLine } from '../log-line.ts'
import type { Paint } from '../log-colours.ts'

/** The line of an entry as the log of `serve` has it, with the time of the world. */
export function toEntryLine(entry: JournalEntry, paint: Paint): string {
  const { at, world, operation, request, response, bytes, ms, scenarios, aborted, reason, violations } = entry
  return toLogLine(
    {
      time: toTimestamp(at),
      method: request.method,
      status: response.status,
      ms,
      bytes,
      path: request.url,
      operation,
      world: toNamedWorld(world, request.url),
      scenarios,
      aborted,
      reason,
      violations,
    },
    paint,
  )
}
