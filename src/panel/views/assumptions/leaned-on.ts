import type { TrafficEntry } from '../../data/shapes.ts'

/** How many of the last requests are looked at. */
export const mostLookedAt = 200

/** Which of the last requests leaned on each assumption, by id; the newest first. */
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
