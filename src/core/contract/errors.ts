import { briefMessage } from '../text/messages.ts'
import { recognizeAcrossBuilds } from './builds.ts'
import type { Texts } from '../text/values.ts'

export const errors = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid.',
  },
  idempotency_key_reused: {
    status: 400,
    message: 'The Idempotency-Key was used with another request.',
  },
  payment_declined: {
    status: 400,
    message: 'The payment method was declined.',
  },
  duplicate_id: {
    status: 400,
    message: 'A record with this id exists already.',
  },
  missing_api_key: {
    status: 401,
    message: 'No API key: send "Authorization: Bearer <API_KEY>".',
  },
  invalid_api_key: {
    status: 401,
    message: 'The API key is invalid or expired.',
  },
  insufficient_permissions: {
    status: 403,
    message: 'The API key does not permit this.',
  },
  insufficient_credits: {
    status: 403,
    message: 'The credits are spent.',
  },
  not_found: {
    status: 404,
    message: 'The resource does not exist.',
  },
  method_not_allowed: {
    status: 405,
    message: 'The path does not have this method.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large.',
  },
  unsupported_encoding: {
    status: 415,
    message: 'The Content-Encoding is not supported: send the body as it is.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The Content-Type must be application/json.',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'The rate limit of the plan is exceeded.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side.',
  },
} as const

export type ErrorCode = keyof typeof errors

/** The part of an error that decides the status of its reply. */
export interface ErrorHead {
  readonly code: ErrorCode
  readonly status: number
}

/**
 * An error of the API, as an operation throws it. It is not an `Error`: nobody reads its stack, and
 * capturing a stack costs more than the rest of a rejected request.
 */
export class ApiError implements ErrorHead {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number
  readonly headers: Texts
  explanation: Explanation

  constructor(
    code: ErrorCode,
    // A code of the user's own comes with a status, and has no message here.
    message: string = errors[code]?.message ?? 'The request was refused.',
    status: number = errors[code].status,
    headers: Texts = {},
  ) {
    this.code = code
    this.message = briefMessage(message)
    this.status = status
    this.headers = headers
    this.explanation = this.message
  }

  /** Sets the explanation for the developer. It is the message unless this is called. */
  because(explanation: Explanation): this {
    this.explanation = explanation
    return this
  }
}

// A user's handler may throw the ApiError of another build (ESM or CommonJS).
recognizeAcrossBuilds(ApiError, 'ApiError')

export function invalidRequest(message?: string): ApiError {
  return new ApiError('invalid_request', message)
}

/** Returns the body of an error of the control API, and of replies that no area gives. */
export function toControlError(code: string, message: string) {
  return {
    error: {
      code,
      message: briefMessage(message),
    },
  }
}

/** Returns the message of what was thrown, whatever it is. */
export function toReason(thrown: unknown): string {
  try {
    const message = thrown instanceof Error && String(thrown.message)
    return message || String(thrown)
  } catch {
    // Objects without a prototype, revoked proxies, getters that throw.
    return 'a value that cannot be converted to a string'
  }
}

/** Prints an error for the developer, even one that the console cannot show. */
export function printFailure(what: string, thrown: unknown): void {
  try {
    console.error(what, thrown)
  } catch {
    console.error(what, toReason(thrown))
  }
}

/** Calls a function of a user, and prints what it throws, at once or later. */
export function callSafely(what: string, call: () => unknown): void {
  try {
    const result = call()
    if (result instanceof Promise) result.catch((error: unknown) => printFailure(what, error))
  } catch (error) {
    printFailure(what, error)
  }
}

/**
 * Why a reply is an error, or was changed: one sentence for the developer. A function is called
 * when the sentence is read; its `show` replaces a possible secret by its fingerprint. A string is
 * searched for secrets. The result of a function is not: only what it passes to `show` is.
 */
export type Explanation = string | Explain

export type Explain = (show: (text: string) => string) => string

export function showExplanation(explanation: Explanation, show: (text: string) => string): string {
  if (typeof explanation === 'string') return show(explanation)
  return explanation(show)
}

/** The bytes of a function that explains, with what it keeps alive. */
const functionSize = 310

export function explanationSize(explanation: Explanation | undefined): number {
  if (explanation === undefined) return 0
  if (typeof explanation === 'string') return 2 * explanation.length + 24
  return functionSize
}

/** A message takes no further sentence after this many of them, or this many characters. */
const maxSentences = 10
const longestMessage = 600

/** The list to which checks add their problems. */
export interface ProblemList {
  /**
   * Adds a problem. @param describe returns its sentence; called only if the message has room for
   * it.
   */
  add(describe: () => string): void
}

/** Collects the problems of a request for one reply. */
export class Rejection implements ProblemList {
  readonly #sentences: string[] = []
  #length = 0
  #omitted = 0

  add(describe: () => string): void {
    if (this.#sentences.length >= maxSentences || this.#length >= longestMessage) {
      this.#omitted++
      return
    }
    const sentence = describe()
    this.#sentences.push(sentence)
    this.#length += sentence.length
  }

  throwIfAny(): void {
    if (this.#sentences.length === 0) return
    if (this.#omitted === 1) this.#sentences.push('There is 1 more problem.')
    if (this.#omitted > 1) this.#sentences.push(`There are ${this.#omitted} more problems.`)
    throw invalidRequest(this.#sentences.join(' '))
  }
}
