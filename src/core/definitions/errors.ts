import type { Explanation } from './explanation.ts'
import { briefMessage } from './quote.ts'

/**
 * Every error that the service can answer with: its HTTP status, and what it says when nothing more precise is known. How an
 * error is written down is an area's own affair.
 */
export const errors = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  idempotency_key_reused: { status: 400, message: 'The Idempotency-Key was used with another request.' },
  payment_declined: { status: 400, message: 'The payment method was declined.' },
  duplicate_id: { status: 400, message: 'A record with this id exists already.' },
  missing_api_key: { status: 401, message: 'No API key: send "Authorization: Bearer <API_KEY>".' },
  invalid_api_key: { status: 401, message: 'The API key is invalid or expired.' },
  insufficient_permissions: { status: 403, message: 'The API key does not permit this.' },
  insufficient_credits: { status: 403, message: 'The credits are spent.' },
  not_found: { status: 404, message: 'The resource does not exist.' },
  method_not_allowed: { status: 405, message: 'The path does not have this method.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_encoding: {
    status: 415,
    message: 'The Content-Encoding is not supported: send the body as it is.',
  },
  unsupported_media_type: { status: 415, message: 'The Content-Type must be application/json.' },
  rate_limit_exceeded: { status: 429, message: 'The rate limit of the plan is exceeded.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
} as const

/** The name of an error in the catalogue. */
export type ErrorCode = keyof typeof errors

/**
 * What an operation throws to tell the client no. Everything else that is thrown becomes `internal_error`.
 * @note Not an `Error`: nobody reads its stack, and taking one costs more than the rest of a refused request.
 */
export class ApiError {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number
  /** What a reply of this very status carries besides. */
  readonly headers: Readonly<Record<string, string>>
  /** A longer explanation for the developer, for the log and the journal; by default the message. */
  explanation: Explanation

  constructor(
    code: ErrorCode,
    message: string = errors[code].message,
    status: number = errors[code].status,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.code = code
    this.message = briefMessage(message)
    this.status = status
    this.headers = headers
    this.explanation = this.message
  }

  /** Adds an explanation that only the developer sees. */
  because(explanation: Explanation): this {
    this.explanation = explanation
    return this
  }
}

/** The error body of everything that is Greenhouse's own and not the API's: a header that names an unknown scenario, say. */
export function toControlError(code: string, message: string) {
  return { error: { code, message: briefMessage(message) } }
}
