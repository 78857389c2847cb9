/** A text without its percent-encoding; `undefined` where that is not valid. */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The same; as it is where that is not valid. */
export function decodeWherePossible(text: string): string {
  return decode(text) ?? text
}
