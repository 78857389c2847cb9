import { DataError } from '../core/definitions/problem.ts'
import { printError } from './print.ts'
import type { Terminal } from './terminal.ts'

/** The command was used in a way that it does not have. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The check or the user's command failed; what there is to say has been said. */
export class FailedCheck extends Error {
  override name = 'FailedCheck'
  readonly code: number

  /** @param code what to exit with: the command's own. */
  constructor(code = 1) {
    super()
    this.code = code
  }
}

/** 1 when a check failed, a failed command's own code, 2 when the command was used wrongly or could not do its work. */
export function exitCode(error: unknown): number {
  if (error instanceof FailedCheck) return error.code
  return error instanceof DataError ? 1 : 2
}

/** Says what failed, without a stack: these are errors of use, not of ours. */
export function reportError(terminal: Terminal, error: unknown): void {
  if (error instanceof FailedCheck) return
  printError(terminal, `${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof UsageError)
    printError(terminal, 'See greenhouse-mock --help, or greenhouse-mock <command> --help.\n')
}
