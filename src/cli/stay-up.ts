import { toPrintable } from '../node-http/printable.ts'
import type { Terminal } from './terminal.ts'

/**
 * Keeps the process up whatever the user's handlers leave behind: a promise that nobody awaits, a timer that throws. Nobody
 * can tell such an error from one of Greenhouse's own, so it is told in full. Only what runs in a process for others may do
 * this, so the command does, and only with --handlers; everything else keeps Node's default, which is to end.
 */
export function stayUp(file: string, { stderr, signals }: Terminal): void {
  const tell = (error: unknown) =>
    stderr.write(
      `An uncaught error, most likely in a handler of ${file}: ${toPrintable(error)}\nGreenhouse keeps running.\n`,
    )
  signals.on('uncaughtException', tell)
  signals.on('unhandledRejection', tell)
}
