import { toReason } from '../core/contract/errors.ts'
import { printError, type Terminal } from './terminal.ts'

export class UsageError extends Error {
  override name = 'UsageError'
  readonly code: number

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

export const runCodes = { coverage: 3, failOn: 4 }

export function exitCode(error: unknown): number {
  return error instanceof FailedCheck || error instanceof UsageError ? error.code : 2
}

export function reportError(terminal: Terminal, error: unknown): void {
  if (error instanceof FailedCheck) return
  printError(terminal, `${toReason(error)}\n`)
  if (error instanceof UsageError)
    printError(terminal, 'See greenhouse-mock --help, or greenhouse-mock <command> --help.\n')
}
