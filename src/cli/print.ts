import { formatWithOptions } from 'node:util'
import { toVisibleLines } from '../core/definitions/visible.ts'

/** Prints text that may quote files, requests and what servers answer: nothing in it reaches the terminal as an escape sequence. */
export function print(text: string): void {
  process.stdout.write(toVisibleLines(text))
}

/** The same on stderr. */
export function printError(text: string): void {
  process.stderr.write(toVisibleLines(text))
}

/** Sends console output, our own errors included, to the same log. @param redact removes secrets from it. */
export function guardConsole(redact: (text: string) => string): void {
  for (const name of ['error', 'warn'] as const)
    console[name] = (...values: unknown[]) => printError(redact(formatWithOptions({ colors: false }, ...values)) + '\n')
}
