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
