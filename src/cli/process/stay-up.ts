import { toPrintable } from '../../node-http/printable.ts'
import type { Terminal } from '../terminal.ts'

/**
 * Keeps the process alive after errors in the user's handlers: an unhandled rejection, a timer that throws. They are printed in
 * full, because they look like bugs of Greenhouse. Only commands with --handlers do this; otherwise Node's default applies.
 */
export function surviveUncaughtErrors(file: string, { stderr, signals }: Terminal): void {
  const logError = (error: unknown) =>
    stderr.write(
      `An uncaught error, most likely in a handler of ${file}: ${toPrintable(error)}\nGreenhouse keeps running.\n`,
    )
  signals.on('uncaughtException', logError)
  signals.on('unhandledRejection', logError)
}
