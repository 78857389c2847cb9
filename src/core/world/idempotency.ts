import type { WorldMemory } from '../store/data-memory.ts'
import { ApiError } from '../definitions/errors.ts'
import { toDigest } from '../store/fingerprint.ts'
import type { Outcome } from '../http/outcome.ts'
import { weightOf } from '../store/weight.ts'

const keptFor = 24 * 3_600_000

/** The most keys; past it, the oldest are dropped. */
const most = 10_000

/** The text of a longer request is identified by its digest. */
const longestRequest = 200

/** The decision of an operation: its outcome, or its refusal with the request id of that reply. */
export type OperationDecision =
  | { readonly outcome: Outcome }
  | { readonly refusal: ApiError; readonly requestId: string }

interface Kept {
  readonly request: string
  readonly decision: OperationDecision
  readonly until: number
  readonly bytes: number
}

/** The decisions on requests with an `Idempotency-Key`: for 24 hours of the world's clock, and at most 10,000. */
export class Idempotency {
  readonly #kept = new Map<string, Kept>()
  readonly #memory: WorldMemory

  constructor(memory: WorldMemory) {
    this.#memory = memory
  }

  /**
   * Runs `work` once per key: the same key with the same request returns the first decision. If `work` throws, nothing
   * is stored and the next request tries again. @param key with its account, so that two callers never share one.
   * @throws ApiError 400 `idempotency_key_reused` for a different request.
   */
  once(
    key: string,
    request: string,
    now: number,
    work: () => OperationDecision,
  ): { decision: OperationDecision; isReplay: boolean } {
    this.#forgetUntil(now)
    const body = request.length <= longestRequest ? request : toDigest(request)
    const kept = this.#kept.get(key)
    if (kept && kept.until > now) {
      if (kept.request === body) return { decision: kept.decision, isReplay: true }
      throw new ApiError('idempotency_key_reused')
    }
    const decision = work()
    this.#forget(key)
    if (this.#kept.size >= most) this.#forget(this.#kept.keys().next().value!)
    const bytes = weightOf([key, body, decision])
    this.#kept.set(key, { request: body, decision, until: now + keptFor, bytes })
    this.#memory.grow(bytes)
    return { decision, isReplay: false }
  }

  /** Returns an independent copy. */
  clone(): Idempotency {
    const copy = new Idempotency(this.#memory)
    for (const [key, kept] of this.#kept) copy.#kept.set(key, kept)
    this.#memory.grow(copy.bytes)
    return copy
  }

  /** Frees its memory. */
  end(): void {
    this.#memory.change(-this.bytes)
    this.#kept.clear()
  }

  /** The bytes of all decisions. */
  get bytes(): number {
    let bytes = 0
    for (const kept of this.#kept.values()) bytes += kept.bytes
    return bytes
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    this.#kept.delete(key)
    this.#memory.change(-kept.bytes)
  }

  #forgetUntil(now: number): void {
    for (const [key, { until }] of this.#kept) {
      if (until > now) break
      this.#forget(key)
    }
  }
}
