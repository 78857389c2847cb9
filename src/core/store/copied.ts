/** How many characters are copied at once. */
const chunk = 4_096

/**
 * A copy of a text that keeps nothing else alive. What `slice` and regular expressions give may be a view of the whole text:
 * a world's name out of a URL of 15 KB would keep the 15 KB for as long as the world is there.
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
