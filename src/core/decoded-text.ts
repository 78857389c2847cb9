/** A text with its escapes undone, and where each of its characters stood. */
export interface DecodedText {
  readonly text: string
  /** Where in the original text the character at `index` stood; at the end of the text, where the original ends. */
  toOriginal(index: number): number
}

/** How often a text is decoded: a URL in a URL's parameter in JSON has escapes of escapes. */
const deepest = 3

const escape = /%[0-7][0-9a-f]|\\u00[0-7][0-9a-f]|\\["\\/]/gi

/** The text as it is, then with its escapes undone, and theirs: percent-encoding, and the escapes of JSON. */
export function decodings(text: string): DecodedText[] {
  const all: DecodedText[] = [{ text, toOriginal: (index) => index }]
  while (all.length <= deepest) {
    const next = decode(all.at(-1)!)
    if (!next) break
    all.push(next)
  }
  return all
}

function decode({ text, toOriginal }: DecodedText): DecodedText | undefined {
  if (!text.includes('%') && !text.includes('\\')) return undefined
  const parts: string[] = []
  // After each escape, where its character ends in the decoded text, and where it ended in this one.
  const after: number[] = [0]
  const before: number[] = [0]
  let length = 0
  let end = 0
  for (const { 0: sequence, index } of text.matchAll(escape)) {
    const character = sequence.length === 2 ? sequence[1]! : String.fromCharCode(Number.parseInt(sequence.slice(-2), 16))
    parts.push(text.slice(end, index), character)
    length += index - end + 1
    end = index + sequence.length
    after.push(length)
    before.push(end)
  }
  if (parts.length === 0) return undefined
  parts.push(text.slice(end))
  return {
    text: parts.join(''),
    toOriginal(index) {
      let low = 0
      let high = after.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (after[middle]! <= index) low = middle
        else high = middle - 1
      }
      return toOriginal(before[low]! + index - after[low]!)
    },
  }
}
