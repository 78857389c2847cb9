import type { RequestEvent } from '../../data/shapes.ts'

/** The number of recent requests that are counted. */
export const recentRequestLimit = 200

/** Returns the recent requests that depended on each assumption, newest first, by the assumption's id. */
export function groupByAssumption(entries: readonly RequestEvent[]): ReadonlyMap<string, readonly RequestEvent[]> {
  const found = new Map<string, RequestEvent[]>()
  for (const entry of entries.slice(0, recentRequestLimit))
    for (const id of entry.assumptions) {
      const known = found.get(id)
      if (known) known.push(entry)
      else found.set(id, [entry])
    }
  return found
}
