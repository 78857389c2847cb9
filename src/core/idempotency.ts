import { ApiError } from './errors.ts'
import type { Outcome } from './operation.ts'

const keptFor = 24 * 3_600_000

interface Kept {
  readonly request: string
  readonly outcome: Outcome
  readonly until: number
}

/** The outcomes of requests that carried an `Idempotency-Key`, kept for 24 hours of the world's clock. */
export class Idempotency {
  readonly #kept = new Map<string, Kept>()

  /**
   * Runs `work` once a key: the same key with the same request gives the first outcome again.
   * @param key with its account and operation, so that two callers never share one.
   * @throws ApiError 400 `idempotency_key_reused` when the request is another one.
   */
  async once(key: string, request: string, now: number, work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    this.#forgetUntil(now)
    const kept = this.#kept.get(key)
    if (kept && kept.until > now) {
      if (kept.request === request) return kept.outcome
      throw new ApiError('idempotency_key_reused')
    }
    const outcome = await work()
    this.#kept.delete(key)
    this.#kept.set(key, { request, outcome, until: now + keptFor })
    return outcome
  }

  /** Its own, with the same outcomes. */
  clone(): Idempotency {
    const copy = new Idempotency()
    for (const [key, kept] of this.#kept) copy.#kept.set(key, kept)
    return copy
  }

  #forgetUntil(now: number): void {
    for (const [key, { until }] of this.#kept) {
      if (until > now) break
      this.#kept.delete(key)
    }
  }
}
