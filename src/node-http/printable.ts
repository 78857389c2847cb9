import { inspect } from 'node:util'
import { toReason } from '../core/contract/errors.ts'
import { toVisibleLines } from '../core/text/messages.ts'

export function toPrintable(thrown: unknown): string {
  try {
    return toVisibleLines(inspect(thrown))
  } catch {
    return toVisibleLines(toReason(thrown))
  }
}
