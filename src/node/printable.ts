import { inspect } from 'node:util'
import { toReason } from '../core/reason.ts'

/** Anything that was thrown as text for a terminal: with its stack, and without escape sequences that it may have from a request. Never throws. */
export function toPrintable(thrown: unknown): string {
  try {
    return withoutEscapes(inspect(thrown))
  } catch {
    return withoutEscapes(toReason(thrown))
  }
}

/** Text in which every control character but tabs and new lines is written out: `\x1b`. */
export function withoutEscapes(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
