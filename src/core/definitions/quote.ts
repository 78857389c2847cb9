/** The most characters of a client's text that a message quotes. */
export const maxRepeated = 100

const longestMessage = 1_000

/** The most characters of a message from a user's code. */
export const longestReason = 8_192

export function quote(text: string): string {
  return JSON.stringify(brief(text))
}

export function brief(text: string): string {
  return shorten(text, maxRepeated)
}

export function briefMessage(text: string): string {
  return shorten(text, longestMessage)
}

/** The last word of a text, and what is before it. A word without spaces and slashes counts from its last dot. */
const lastWord = /^(?:(.*[^\w.~%+=-])[\w.~%+=-]+|(.*[^\w-])[\w-]+)$/s

export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  // Nobody recognizes the beginning of a secret as one, and half of a character of two units would not be valid Unicode.
  const shown = text
    .slice(0, length)
    .replace(lastWord, '$1$2')
    .replace(/[\ud800-\udbff]$/, '')
  return `${shown}… (${text.length} characters)`
}
