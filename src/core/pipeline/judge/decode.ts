/** A text without its percent-encoding; as it is where that is not valid. */
export function decodeWherePossible(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
