import type { Outcome } from '../http/event-stream.ts'
import { byteLength } from '../http/reply.ts'
import type { Derived } from './ordered-entries.ts'
import { textSize } from './data-memory.ts'

/** The bytes to cache over all worlds, and for one reply. */
const max = 2 ** 24
const maxOfOne = 2 ** 20

type Written = Outcome & { readonly text: string }

interface Holder {
  readonly derived: Map<string, Derived>
}

/** Caches outcomes that depend only on records, until these change. With more than 16 MiB over all worlds, it drops the oldest. */
export class ReplyCache {
  readonly #cached = new Set<CachedOutcome>()
  #bytes = 0

  /** Returns the result of `make`, cached until the entries of `holder` change. `name` identifies everything else that it depends on. */
  get(holder: Holder, name: string, make: () => Written): Written {
    const known = holder.derived.get(name) as CachedOutcome | undefined
    if (known) return known.value
    const made = make()
    const value = { ...made, length: made.length ?? byteLength(made.text) }
    const cached = new CachedOutcome(value, name, holder, this)
    if (cached.bytes > maxOfOne) return value
    holder.derived.set(name, cached)
    this.#cached.add(cached)
    this.#bytes += cached.bytes
    for (const oldest of this.#cached) {
      if (this.#bytes <= max) break
      oldest.holder.derived.delete(oldest.name)
      this.forget(oldest)
    }
    return value
  }

  /** Drops an outcome from the list, and its bytes from the count. @internal */
  forget(cached: CachedOutcome): void {
    if (this.#cached.delete(cached)) this.#bytes -= cached.bytes
  }
}

class CachedOutcome {
  readonly value: Written
  readonly name: string
  readonly holder: Holder
  readonly bytes: number
  readonly #cache: ReplyCache

  constructor(value: Written, name: string, holder: Holder, cache: ReplyCache) {
    this.value = value
    this.name = name
    this.holder = holder
    this.#cache = cache
    // The value takes about twice the memory of its text.
    this.bytes = 3 * textSize(value.text) + textSize(name) + 200
  }

  forget(): void {
    this.#cache.forget(this)
  }
}
