import { printFailure, toControlError, toReason } from '../core/contract/errors.ts'
import { JsonError } from '../core/http/json.ts'
import { briefMessage } from '../core/text/messages.ts'
import { DataMemoryError } from '../core/store/memory.ts'
import { DuplicateKeyError } from '../core/store/records.ts'
import { EvictedError } from '../core/journal/journal.ts'
import { UnknownScenarioError, UnsupportedFaultError } from '../core/world/effective-settings.ts'
import { ChangedSinceError } from '../core/world/state-differences.ts'
import { ClosedError, DroppedWorldError, SecretNameError } from '../core/world/worlds.ts'

export class ControlError extends Error {
  override name = 'ControlError'
  readonly status: number
  readonly code: string
  readonly fields: readonly FieldError[] | undefined

  constructor(status: number, code: string, message: string, fields?: readonly FieldError[]) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

export function invalid(message: string, fields?: readonly FieldError[]): ControlError {
  return new ControlError(400, 'invalid_request', message, fields)
}

export function notFound(what: string, message: string): ControlError {
  return new ControlError(404, `unknown_${what}`, message)
}

export function conflict(code: string, message: string): ControlError {
  return new ControlError(409, code, message)
}

/** A field of a call that is wrong. */
export interface FieldError {
  /** A JSON pointer. */
  readonly path: string
  readonly message: string
}

export function toFailure(
  error: unknown,
  redact: (text: string) => string,
): { status: number; body: object } {
  const { status, code, message, fields } =
    error instanceof ControlError ? error : asControlError(error)
  const body = toControlError(code, redact(message))
  if (!fields) return { status, body }
  const errors = fields.map((field) => ({
    path: redact(field.path),
    message: briefMessage(redact(field.message)),
  }))
  return { status, body: { error: { ...body.error, errors } } }
}

function asControlError(error: unknown): ControlError {
  const message = toReason(error)
  if (error instanceof SecretNameError) return new ControlError(400, 'invalid_world', message)
  if (error instanceof DroppedWorldError) return new ControlError(409, 'world_dropped', message)
  if (error instanceof ClosedError) return new ControlError(503, 'greenhouse_closed', message)
  if (error instanceof DataMemoryError) return new ControlError(507, 'data_memory_full', message)
  if (error instanceof EvictedError) return new ControlError(409, 'journal_evicted', message)
  if (error instanceof UnsupportedFaultError)
    return new ControlError(400, 'unsupported_fault', message)
  if (error instanceof UnknownScenarioError)
    return new ControlError(400, 'unknown_scenario', message)
  if (error instanceof ChangedSinceError) return new ControlError(409, 'changed_since', message)
  if (error instanceof DuplicateKeyError) return new ControlError(409, 'duplicate_record', message)
  if (error instanceof RangeError || error instanceof JsonError)
    return new ControlError(400, 'invalid_request', message)
  printFailure('Greenhouse failed to answer a control request:', error)
  return new ControlError(500, 'internal_error', 'Something went wrong in Greenhouse.')
}
