import type { TrafficEntry } from '../../data/shapes.ts'

/** The number of recent requests that are counted. */
export const mostLookedAt = 200

/** The recent requests that depended on each assumption, by its id; newest first. */
export function leanedOn(entries: readonly TrafficEntry[]): ReadonlyMap<string, readonly TrafficEntry[]> {
  const found = new Map<string, TrafficEntry[]>()
  for (const entry of entries.slice(0, mostLookedAt))
    for (const id of entry.assumptions) {
      const known = found.get(id)
      if (known) known.push(entry)
      else found.set(id, [entry])
    }
  return found
}
