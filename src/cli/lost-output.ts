import { getSystemErrorMap } from 'node:util'
import { setImmediate } from '../core/time/system-time.ts'
import { printError } from './print.ts'
import type { OutputStream, Terminal } from './terminal.ts'

/** The exit code of a command that did its work but could not print what came of it. */
const notPrinted = 2

/** The outputs that lack something that was printed to them. */
const lacking = new WeakSet<OutputStream>()

/**
 * Says once on stderr that stdout can't be written: the disk is full, the terminal is gone. A reader that went away (`| head -1`)
 * is nobody to tell, and of stderr itself there is nowhere left to tell. What is printed from then on is dropped.
 * @param name what fails: `greenhouse-mock openapi`
 */
export function watchOutput({ stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>, name: string): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || lacking.has(stdout)) return
    lacking.add(stdout)
    printError({ stderr }, `${name}: could not write to stdout: ${toReason(error)}\n`)
  })
  stderr.on('error', () => undefined)
}

/** What a command exits with: one that failed anyway keeps its code. */
export async function toPrintedCode({ stdout }: Pick<Terminal, 'stdout'>, code: number): Promise<number> {
  // A write that failed is told in the next turn.
  await new Promise<void>(setImmediate)
  return code === 0 && lacking.has(stdout) ? notPrinted : code
}

/** As the system says it: `no space left on device`. */
function toReason({ errno, message }: NodeJS.ErrnoException): string {
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? message
}
