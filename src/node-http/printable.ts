import { inspect } from 'node:util'
import { toReason } from '../core/definitions/errors.ts'
import { toVisibleLines } from '../core/definitions/quote.ts'

export function toPrintable(thrown: unknown): string {
  try {
    return toVisibleLines(inspect(thrown))
  } catch {
    return toVisibleLines(toReason(thrown))
  }
}
