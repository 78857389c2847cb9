/**
 * Removes as many items as possible (ddmin, Zeller and Hildebrandt 2002). @param accepts whether a
 * shorter list is as good.
 */
export async function shrinkList<T>(
  items: readonly T[],
  accepts: (shorter: T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let current = items
  if (current.length > 0 && (await accepts([]))) return []
  let parts = 2
  while (current.length >= 2) {
    const size = Math.ceil(current.length / parts)
    let hasShrunk = false
    for (let start = 0; start < current.length; start += size) {
      const shorter = [...current.slice(0, start), ...current.slice(start + size)]
      if (shorter.length === 0 || !(await accepts(shorter))) continue
      current = shorter
      parts = Math.max(parts - 1, 2)
      hasShrunk = true
      break
    }
    if (hasShrunk) continue
    if (size === 1) break
    parts = Math.min(current.length, parts * 2)
  }
  return current
}
