/** The most characters of something that was sent that a message repeats. */
const mostRepeated = 100

/** The most characters of a message. */
const longestMessage = 1_000

/** A text of a request in quotes, for a message: of a long one the beginning. */
export function quote(text: string): string {
  return JSON.stringify(brief(text))
}

/** The same without quotes. */
export function brief(text: string): string {
  return shorten(text, mostRepeated)
}

/** A message of a bearable length, whatever it repeats. */
export function briefMessage(text: string): string {
  return shorten(text, longestMessage)
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`
}
