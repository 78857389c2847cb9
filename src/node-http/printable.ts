import { inspect } from 'node:util'
import { toReason } from '../core/definitions/reason.ts'
import { toVisibleLines } from '../core/definitions/visible.ts'

/** Anything that was thrown as text for a terminal: with its stack, and without escape sequences that it may have from a request. Never throws. */
export function toPrintable(thrown: unknown): string {
  try {
    return toVisibleLines(inspect(thrown))
  } catch {
    return toVisibleLines(toReason(thrown))
  }
}
