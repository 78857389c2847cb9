import type { RequestEvent } from '../../data/shapes.ts'

export const recentRequestLimit = 200

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
