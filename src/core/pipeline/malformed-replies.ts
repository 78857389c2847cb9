import type { Outcome } from '../http/outcome.ts'
import { toJson } from '../http/json.ts'
import { byteLength } from '../http/reply.ts'
import { textWeight } from '../store/weight.ts'
import type { Endpoint } from './endpoint.ts'
import type { Exchange } from './exchange.ts'

export interface MalformedResult {
  readonly text: string
  readonly length: number
  readonly changedBy: readonly number[]
}

/** The bytes to cache over all worlds, and for one result. */
const most = 2 ** 22
const maxOfOne = 2 ** 19

interface CachedResult extends MalformedResult {
  readonly operation: Endpoint | undefined
  /** Identifies the effects without keeping them alive. */
  readonly by: object
  readonly bytes: number
}

/**
 * Caches malformed results with their text: the same effects always change a result in the same way. It caches results
 * that many replies share, up to 4 MiB over all worlds; then it drops the oldest.
 */
export class MalformedReplies {
  readonly #cache = new Map<object, CachedResult>()
  #bytes = 0

  get(exchange: Exchange, { body, text: plain }: Outcome): MalformedResult {
    const { effects, operation } = exchange
    const malforming = effects.for('malform')
    const canKeep =
      plain !== undefined && typeof body === 'object' && body !== null && malforming.every((one) => one.isCacheable)
    if (!canKeep) return malform(exchange, body, plain)
    const by = effects.identity
    const known = this.#cache.get(body)
    if (known?.by === by && known.operation === operation) return known
    const made = malform(exchange, body, plain)
    // The plain body is the key, and takes about twice the memory of its text.
    const bytes = textWeight(made.text) + 3 * textWeight(plain) + 300
    if (known) this.#forget(body, known)
    if (bytes <= maxOfOne) {
      this.#cache.set(body, { ...made, operation, by, bytes })
      this.#bytes += bytes
      for (const [oldest, cached] of this.#cache) {
        if (this.#bytes <= most) break
        this.#forget(oldest, cached)
      }
    }
    return made
  }

  #forget(body: object, { bytes }: CachedResult): void {
    this.#cache.delete(body)
    this.#bytes -= bytes
  }
}

function malform(exchange: Exchange, body: unknown, plain: string | undefined): MalformedResult {
  const changedBy: number[] = []
  let result = body
  for (const [index, effect] of exchange.effects.for('malform').entries()) {
    const malformed = effect.malform(exchange, result)
    if (malformed !== result) changedBy.push(index)
    result = malformed
  }
  const text = result === body && plain !== undefined ? plain : toJson(result)
  return { text, length: byteLength(text), changedBy }
}
