const chunk = 4_096

/**
 * Returns a copy of a string that keeps no other string alive. The results of `slice` and regular expressions may be views: a
 * world's name from a URL of 15 KB would keep all 15 KB as long as the world exists.
 */
export function copied(text: string): string {
  let copy = ''
  for (let start = 0; start < text.length; start += chunk) {
    const codes: number[] = []
    for (let at = start; at < Math.min(start + chunk, text.length); at++) codes.push(text.charCodeAt(at))
    copy += String.fromCharCode(...codes)
  }
  return copy
}

/** Whether two plain values are equal, whatever the order of their fields. A field that is `undefined` counts as absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((part, index) => isSame(part, other[index]))
    )
  if ('toJSON' in one || 'toJSON' in other) return JSON.stringify(one) === JSON.stringify(other)
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
    isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  )
}
