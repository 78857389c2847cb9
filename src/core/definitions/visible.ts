/**
 * What terminals and CI logs act on, or what reorders text: control characters (C0, C1, DEL), line and paragraph separators,
 * bidirectional marks; the `##` of a command such as `##[error]`, which counts anywhere in a line.
 */
const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|##(?=\[|vso\[|teamcity\[)/g

/** The same but tabs and line feeds; and `::`, which is a command of a CI at the start of a line, after any space. */
const unsafeInLines =
  // eslint-disable-next-line no-control-regex
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|##(?=\[|vso\[|teamcity\[)|^[^\S\n]*::(?=[A-Za-z])/gm

/** Escapes what a terminal or a CI acts on, in one line of text: `\x1b`, `\u202e`. */
export function toVisible(text: string): string {
  return text.replace(unsafe, show)
}

/** Escapes the same in text with several lines; tabs and line feeds stay. */
export function toVisibleLines(text: string): string {
  return text.replace(unsafeInLines, show)
}

function show(found: string): string {
  if (found === '\n') return '\\n'
  const code = found.charCodeAt(found.length - 1)
  const escape = code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : toUnicodeEscape(code)
  return found.slice(0, -1) + escape
}

/** Escapes the same in JSON text, which still stands for the same value. */
export function toVisibleJson(json: string): string {
  return json.replace(unsafe, (found) => found.slice(0, -1) + toUnicodeEscape(found.charCodeAt(found.length - 1)))
}

function toUnicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
