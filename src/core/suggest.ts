import { closest, distance } from 'fastest-levenshtein'

/** ` Did you mean "expired-key"?`, or nothing when no known name is near. */
export function suggest(wrong: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  const best = closest(wrong, known)
  const apart = distance(wrong, best)
  return apart <= Math.max(2, wrong.length / 3) && apart < Math.max(wrong.length, best.length) ? ` Did you mean "${best}"?` : ''
}
