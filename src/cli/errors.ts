import { printError, type Terminal } from './terminal.ts'

export class UsageError extends Error {
  override name = 'UsageError'
  readonly code: number

  /** @param code the exit code. */
  constructor(message: string, code = 2) {
    super(message)
    this.code = code
  }
}

/** A check or the user's command failed; the reason is already printed. */
export class FailedCheck extends Error {
  override name = 'FailedCheck'
  readonly code: number

  constructor(code = 1) {
    super()
    this.code = code
  }
}

/** Exit codes of `run` when its command succeeded. */
export const runCodes = { coverage: 3, failOn: 4 }

/** Returns the exit code: 1 for a failed check, the code of a failed command, 2 for invalid use or any other failure. */
export function exitCode(error: unknown): number {
  return error instanceof FailedCheck || error instanceof UsageError ? error.code : 2
}

export function reportError(terminal: Terminal, error: unknown): void {
  if (error instanceof FailedCheck) return
  printError(terminal, `${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof UsageError)
    printError(terminal, 'See greenhouse-mock --help, or greenhouse-mock <command> --help.\n')
}
