import type { FieldError } from '../call.ts'

interface ErrorDetails extends ErrorOptions {
  readonly errors?: readonly FieldError[] | undefined
}

/** Why a call to a server failed. Its kinds differ by class and by `code`. */
export class ClientError extends Error {
  override name = 'ClientError'
  /**
   * Names the problem: `unknown_scenario`, `unknown_world`, `invalid_request`, … or `unreachable`
   * or `not_greenhouse`.
   */
  readonly code: string
  /** The status of the reply; 0 without one. */
  readonly status: number
  /** The fields that are wrong, by JSON pointer, if the call has some. */
  readonly errors: readonly FieldError[]

  constructor(code: string, status: number, message: string, details: ErrorDetails = {}) {
    super(message, details)
    this.code = code
    this.status = status
    this.errors = details.errors ?? []
  }
}

/** No server answers at this address, or the connection was cut. */
export class ServerUnreachableError extends ClientError {
  override name = 'ServerUnreachableError'
}

/** A server answers, but not as Greenhouse does. */
export class ForeignServerError extends ClientError {
  override name = 'ForeignServerError'
}

/** Greenhouse rejected the call. The message says why, often with "Did you mean". */
export class CallError extends ClientError {
  override name = 'CallError'
}

/** The server needs a token, and got none or a wrong one. */
export class TokenError extends CallError {
  override name = 'TokenError'
}
