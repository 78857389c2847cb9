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
): {
  status: number
  body: object
} {
  const { status, code, message, fields } =
    error instanceof ControlError ? error : asControlError(error)
  const body = toControlError(code, redact(message))
  if (!fields) return { status, body }
  const errors = fields.map((field) => ({
    path: redact(field.path),
    message: briefMessage(redact(field.message)),
  }))
  return {
    status,
    body: { error: { ...body.error, errors } },
  }
}

/** The reply for each class of error of other rooms. The first class that fits counts. */
const kinds = [
  [SecretNameError, 400, 'invalid_world'],
  [DroppedWorldError, 409, 'world_dropped'],
  [ClosedError, 503, 'greenhouse_closed'],
  [DataMemoryError, 507, 'data_memory_full'],
  [EvictedError, 409, 'journal_evicted'],
  [UnsupportedFaultError, 400, 'unsupported_fault'],
  [UnknownScenarioError, 400, 'unknown_scenario'],
  [ChangedSinceError, 409, 'changed_since'],
  [DuplicateKeyError, 409, 'duplicate_record'],
  [RangeError, 400, 'invalid_request'],
  [JsonError, 400, 'invalid_request'],
] as const

function asControlError(error: unknown): ControlError {
  const message = toReason(error)
  for (const [kind, status, code] of kinds)
    if (error instanceof kind) return new ControlError(status, code, message)
  printFailure('Greenhouse failed to answer a control request:', error)
  return new ControlError(500, 'internal_error', 'Something went wrong in Greenhouse.')
}
