import { toVisibleLines } from '../core/definitions/visible.ts'
import type { Terminal } from './terminal.ts'

/** Prints text that may quote files, requests and what servers answer: nothing in it reaches the terminal as an escape sequence. */
export function print({ stdout }: Pick<Terminal, 'stdout'>, text: string): void {
  stdout.write(toVisibleLines(text))
}

/** The same on stderr. */
export function printError({ stderr }: Pick<Terminal, 'stderr'>, text: string): void {
  stderr.write(toVisibleLines(text))
}
