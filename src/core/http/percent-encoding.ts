export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function decodeWherePossible(text: string): string {
  return decode(text) ?? text
}
