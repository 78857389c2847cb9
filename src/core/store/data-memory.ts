import { recognizeAcrossBuilds } from '../definitions/across-builds.ts'

/** Worlds hold as many bytes as they may together, and none was left that could be dropped. */
export class DataMemoryError extends Error {
  override name = 'DataMemoryError'

  constructor(limit: number) {
    super(
      `The data limit of this mock is reached: ${limit} bytes in all worlds together. Reset or delete worlds, or raise the limit with --data-memory (dataMemory in code).`,
    )
  }
}

recognizeAcrossBuilds(DataMemoryError, 'DataMemoryError')

/** Counts what all worlds hold because of requests: records, idempotency keys, what scenarios remember. */
export class DataMemory {
  /** Drops worlds that may go, but not `needed`, until `isEnough`. */
  dropWorlds: (needed: WorldMemory, isEnough: () => boolean) => void = () => undefined
  #limit: number | (() => number)
  #used = 0

  /** @param limit in bytes; what gives it is called when the first write comes. */
  constructor(limit: number | (() => number)) {
    if (typeof limit === 'number' && !(limit >= 0))
      throw new RangeError(`Failed to set dataMemory to ${limit}: expected a number of bytes.`)
    this.#limit = limit
  }

  /** What they may hold, in bytes. */
  get limit(): number {
    if (typeof this.#limit === 'function') this.#limit = this.#limit()
    return this.#limit
  }

  /** What all worlds hold, in bytes. */
  get used(): number {
    return this.#used
  }

  /** Notes that a world holds more, or less. @internal */
  change(bytes: number): void {
    this.#used += bytes
  }

  /** Whether this many more bytes fit, after dropping every world that can be dropped. @internal */
  hasRoom(bytes: number, world: WorldMemory): boolean {
    const isEnough = () => this.#used + bytes <= this.limit
    if (!isEnough()) this.dropWorlds(world, isEnough)
    return isEnough()
  }
}

/** Counts what one world holds. */
export class WorldMemory {
  readonly #all: DataMemory
  #used = 0
  #hasEnded = false

  constructor(all: DataMemory) {
    this.#all = all
  }

  /** What this world holds, in bytes. */
  get used(): number {
    return this.#used
  }

  /** Makes sure that this many more bytes fit. @throws DataMemoryError when they do not. Nothing is written then, but worlds may have been dropped. */
  reserve(bytes: number): void {
    if (bytes > 0 && !this.#hasEnded && !this.#all.hasRoom(bytes, this)) throw new DataMemoryError(this.#all.limit)
  }

  /** Notes that it holds more, or less. */
  change(bytes: number): void {
    if (this.#hasEnded) return
    this.#used += bytes
    this.#all.change(bytes)
  }

  /** Gives back all that it held, for good: what is still under way in a world that is gone counts no more. */
  end(): void {
    this.clear()
    this.#hasEnded = true
  }

  /** Counts bytes that can't be refused, and drops worlds to make room. */
  grow(bytes: number): void {
    this.change(bytes)
    if (bytes > 0) this.#all.hasRoom(0, this)
  }

  /** Gives back all that it held. */
  clear(): void {
    this.change(-this.#used)
  }
}
