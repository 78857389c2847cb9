import { recognizeAcrossBuilds } from './across-builds.ts'
import type { Explanation } from './explanation.ts'
import { briefMessage } from './quote.ts'

/** Every error of the service: its HTTP status and its default message. Each area has its own error shape. */
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
 * The error that an operation throws to refuse a request. Everything else that is thrown becomes `internal_error`.
 * @note Not an `Error`: no one reads its stack, and capturing one costs more than the rest of a refused request.
 */
export class ApiError {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number
  /** Extra headers of the reply. */
  readonly headers: Readonly<Record<string, string>>
  /** A longer explanation for the developer, in the log and the journal; the message by default. */
  explanation: Explanation

  constructor(
    code: ErrorCode,
    // A code of the user's own comes with a status, and has no message here.
    message: string = errors[code]?.message ?? 'The request was refused.',
    status: number = errors[code].status,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.code = code
    this.message = briefMessage(message)
    this.status = status
    this.headers = headers
    this.explanation = this.message
  }

  /** Sets the explanation that only the developer sees. */
  because(explanation: Explanation): this {
    this.explanation = explanation
    return this
  }
}

// A user's handler may throw the ApiError of another build (ESM or CommonJS).
recognizeAcrossBuilds(ApiError, 'ApiError')

/** Returns the body of an error of Greenhouse itself, not of the API: for example, for a header with an unknown scenario. */
export function toControlError(code: string, message: string) {
  return { error: { code, message: briefMessage(message) } }
}
