import { binarySearch } from '../text/binary-search.ts'

export interface DecodedText {
  readonly text: string
  toOriginal(index: number): number
}

/** How often to decode a string: a URL in a URL's parameter in JSON is escaped several times. */
const deepest = 3

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
  // For each escape: where its character ends in the decoded text, and where the escape ends in this text.
  const after: number[] = [0]
  const before: number[] = [0]
  let length = 0
  let end = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code !== percent && code !== backslash) continue
    const [character, size] = code === percent ? readPercent(text, index) : readBackslash(text, index)
    if (size === 0) continue
    parts.push(text.slice(end, index), character)
    length += index - end + 1
    end = index + size
    after.push(length)
    before.push(end)
    index = end - 1
  }
  if (parts.length === 0) return undefined
  parts.push(text.slice(end))
  return {
    text: parts.join(''),
    toOriginal(index) {
      const last = binarySearch(after.length, (at) => after[at]! <= index) - 1
      return toOriginal(before[last]! + index - after[last]!)
    },
  }
}

const percent = 0x25
const backslash = 0x5c

const none = ['', 0] as const

function readPercent(text: string, index: number): readonly [character: string, size: number] {
  const value = hexAt(text, index + 1) * 16 + hexAt(text, index + 2)
  return value < 128 ? [ascii[value]!, 3] : none
}

function readBackslash(text: string, index: number): readonly [character: string, size: number] {
  const next = text[index + 1]
  if (next === '"' || next === '\\' || next === '/') return [next, 2]
  if (next !== 'u' || text[index + 2] !== '0' || text[index + 3] !== '0') return none
  const value = hexAt(text, index + 4) * 16 + hexAt(text, index + 5)
  return value < 128 ? [ascii[value]!, 6] : none
}

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** Returns the value of a hexadecimal digit; 128 for any other character, which makes a code too large for ASCII. */
function hexAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : 128
}
