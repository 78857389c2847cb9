/** The most characters of a client's text that a message quotes. */
const maxRepeated = 100

/** The most characters of a message. */
const longestMessage = 1_000

/** Quotes a text for a message, and shortens a long one. */
export function quote(text: string): string {
  return JSON.stringify(brief(text))
}

/** Shortens a long text for a message, without quotes. */
export function brief(text: string): string {
  return shorten(text, maxRepeated)
}

/** Shortens a message that is long because it repeats long texts. */
export function briefMessage(text: string): string {
  return shorten(text, longestMessage)
}

/** Shortens a long text, and says how long it was. */
export function shorten(text: string, length: number): string {
  // Half of a character of two units would not be valid Unicode.
  return text.length <= length
    ? text
    : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`
}
