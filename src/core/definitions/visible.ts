/**
 * Characters that a terminal acts on, or that reorder text: control characters (C0, C1, DEL), line and paragraph
 * separators, bidirectional marks.
 */
// eslint-disable-next-line no-control-regex
const unsafe = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

// eslint-disable-next-line no-control-regex
const unsafeButLines = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Escapes characters that a terminal acts on, in one line of text: `\x1b`, `\u202e`. */
export function toVisible(text: string): string {
  return text.replace(unsafe, show)
}

/** Escapes the same characters in text with several lines; tabs and line feeds stay. */
export function toVisibleLines(text: string): string {
  return text.replace(unsafeButLines, show)
}

function show(character: string): string {
  if (character === '\n') return '\\n'
  const code = character.charCodeAt(0)
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Escapes the same characters in JSON text, which still stands for the same value. */
export function toVisibleJson(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
