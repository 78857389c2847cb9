import { recognizeAcrossBuilds } from '../contract/across-builds.ts'
import { byteLength, type Outcome } from '../http/reply.ts'
import type { Derived } from './ordered-entries.ts'

/** Thrown when all worlds together have reached the limit and no world can be dropped. */
export class DataMemoryError extends Error {
  override name = 'DataMemoryError'

  constructor(limit: number) {
    super(
      `The data limit of this mock is reached: ${limit} bytes in all worlds together. Reset or delete worlds, or raise the limit with --data-memory (dataMemory in code).`,
    )
  }
}

recognizeAcrossBuilds(DataMemoryError, 'DataMemoryError')

export class DataMemory {
  dropWorlds: (needed: WorldMemory, isEnough: () => boolean) => void = () => undefined
  #limit: number | (() => number)
  used = 0

  /** @param limit in bytes; a function is called at the first write. */
  constructor(limit: number | (() => number)) {
    this.#limit = limit
  }

  get limit(): number {
    if (typeof this.#limit === 'function') this.#limit = this.#limit()
    return this.#limit
  }

  /** Whether this many more bytes fit. Drops worlds to make room if they do not. @internal */
  hasRoom(bytes: number, world: WorldMemory): boolean {
    const isEnough = () => this.used + bytes <= this.limit
    if (!isEnough()) this.dropWorlds(world, isEnough)
    return isEnough()
  }
}

export class WorldMemory {
  readonly #all: DataMemory
  used = 0
  #hasEnded = false

  constructor(all: DataMemory) {
    this.#all = all
  }

  /** Ensures that this many more bytes fit. @throws DataMemoryError otherwise. Nothing is written then, but worlds may have been dropped. */
  reserve(bytes: number): void {
    if (bytes > 0 && !this.#hasEnded && !this.#all.hasRoom(bytes, this)) throw new DataMemoryError(this.#all.limit)
  }

  change(bytes: number): void {
    if (this.#hasEnded) return
    this.used += bytes
    this.#all.used += bytes
  }

  /** Frees everything for good: later work of the dropped world is not counted. */
  end(): void {
    this.change(-this.used)
    this.#hasEnded = true
  }

  /** Counts what a world has from the start again; it cannot be refused. */
  reset(bytes: number): void {
    this.grow(bytes - this.used)
  }

  /** Counts bytes that cannot be refused, and drops worlds to make room. */
  grow(bytes: number): void {
    this.change(bytes)
    if (bytes > 0) this.#all.hasRoom(0, this)
  }
}

/** The bytes of an object or array without its members, and of each member. */
const objectSize = 24
const memberSize = 8

/** Texts up to this length count as two bytes a character, without a scan. */
const shortText = 64

export function byteSizeOf(value: unknown): number {
  if (typeof value === 'string') return textSize(value)
  if (typeof value !== 'object' || value === null) return 0
  let byteSize = objectSize
  for (const name in value) byteSize += memberSize + byteSizeOf((value as Record<string, unknown>)[name])
  return byteSize
}

/** Returns the memory of a string in bytes: one per character if all are Latin-1, otherwise two. */
export function textSize(text: string): number {
  return objectSize + (text.length <= shortText || /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
}

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
