import { byteSizeOf } from '../store/memory.ts'
import { ApiError } from '../contract/errors.ts'
import { toDigest } from '../secrets/known-secrets.ts'
import type { Outcome } from '../http/reply.ts'

/** How long a decision is kept: 24 hours of the world's clock, in milliseconds. */
const lifetime = 24 * 3_600_000

const maxDecisions = 10_000

/** The most characters of a request that are kept as they are; a longer one becomes a digest. */
const longestStoredRequest = 200

/** The result of an operation, or its error with the id of the reply. */
export type OperationDecision =
  | {
      readonly outcome: Outcome
      readonly rejection?: undefined
      readonly requestId?: undefined
    }
  | {
      readonly rejection: ApiError
      readonly requestId: string
    }

interface StoredDecision {
  /** The text that later requests with the key must equal, or its digest. */
  readonly request: string
  readonly decision: OperationDecision
  readonly until: number
  readonly bytes: number
}

/**
 * The decisions on requests with an `Idempotency-Key`: for 24 hours of the world's clock, and at
 * most 10,000.
 */
export class Idempotency {
  #decisions = new Map<string, StoredDecision>()
  bytes = 0

  /**
   * Returns the decision on the first request with a key; `work` makes it. If `work` throws,
   * nothing is stored and the next request tries again. @param key the key with its account, so
   * that two callers never share one. @throws ApiError 400 `idempotency_key_reused` for a different
   * request.
   */
  once(key: string, request: string, now: number, work: () => OperationDecision) {
    this.#forgetExpired(now)
    const storedRequest = request.length <= longestStoredRequest ? request : toDigest(request)
    // A request that was decided is not done again. Another one must not have its key.
    const stored = this.#decisions.get(key)
    if (stored && stored.until > now) {
      if (stored.request === storedRequest)
        return {
          decision: stored.decision,
          isReplay: true,
        }
      throw new ApiError('idempotency_key_reused')
    }
    // It is the first request with this key: it is decided now, and its decision is kept.
    const decision = work()
    this.#forget(key)
    const [oldest = ''] = this.#decisions.keys()
    if (this.#decisions.size >= maxDecisions) this.#forget(oldest)
    const bytes = byteSizeOf([key, storedRequest, decision])
    this.#decisions.set(key, {
      request: storedRequest,
      decision,
      until: now + lifetime,
      bytes,
    })
    this.bytes += bytes
    return {
      decision,
      isReplay: false,
    }
  }

  clone(): Idempotency {
    const copy = new Idempotency()
    copy.#decisions = new Map(this.#decisions)
    copy.bytes = this.bytes
    return copy
  }

  #forget(key: string): void {
    const stored = this.#decisions.get(key)
    if (!stored) return
    this.#decisions.delete(key)
    this.bytes -= stored.bytes
  }

  #forgetExpired(now: number): void {
    for (const [key, { until }] of this.#decisions) {
      // Decisions are in the order in which they were made, so the others are newer.
      if (until > now) break
      this.#forget(key)
    }
  }
}
