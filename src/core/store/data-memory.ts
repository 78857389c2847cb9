import { recognizeAcrossBuilds } from '../contract/across-builds.ts'
import { byteLength, type Outcome } from '../http/reply.ts'

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

  /** Makes room for these bytes if they do not fit: first the world gives up what it can, then other worlds are dropped. */
  hasRoom(bytes: number, world: WorldMemory): boolean {
    const isEnough = () => this.used + bytes <= this.limit
    if (!isEnough()) world.giveUp(isEnough)
    if (!isEnough()) this.dropWorlds(world, isEnough)
    return isEnough()
  }
}

/** The memory of one world: its records, and the rest. A snapshot counts as a copy of what it holds. */
export class WorldMemory {
  readonly #all: DataMemory
  readonly giveUp: (isEnough: () => boolean) => void
  used = 0
  #rest = 0
  #hasEnded = false

  constructor(all: DataMemory, giveUp: (isEnough: () => boolean) => void) {
    this.#all = all
    this.giveUp = giveUp
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

  /** Counts what is not in records. It cannot be refused, so it makes room. */
  setRest(bytes: number): void {
    const more = bytes - this.#rest
    this.#rest = bytes
    this.change(more)
    if (more > 0) this.#all.hasRoom(0, this)
  }
}

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

export function textSize(text: string): number {
  return objectSize + (text.length <= shortText || /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
}

const maxKept = 2 ** 24
const maxOfOne = 2 ** 20

type Written = Outcome & { readonly text: string }

/** Keeps outcomes that depend only on records, until these change. Past 16 MiB over all worlds, it starts again. */
export class ReplyCache {
  #kept = new WeakMap<object, Map<string, Written>>()
  #bytes = 0

  /** Returns the result of `make`, kept as long as `version` is. `name` identifies everything else that it depends on. */
  get(version: object, name: string, make: () => Written): Written {
    const known = this.#kept.get(version)?.get(name)
    if (known) return known
    const made = make()
    const outcome = { ...made, length: made.length ?? byteLength(made.text) }
    // An outcome takes about twice the memory of its text.
    const bytes = 3 * textSize(made.text) + textSize(name) + 200
    if (bytes > maxOfOne) return outcome
    if (this.#bytes + bytes > maxKept) {
      this.#kept = new WeakMap()
      this.#bytes = 0
    }
    this.#bytes += bytes
    const ofVersion = this.#kept.get(version)
    if (ofVersion) ofVersion.set(name, outcome)
    else this.#kept.set(version, new Map([[name, outcome]]))
    return outcome
  }
}
