import type { GreenhouseErrorCode } from '../text/error-codes.ts'
import { recognizeAcrossBuilds } from '../contract/builds.ts'
import { byteLength, type Outcome } from '../http/reply.ts'

const memoryAdvice =
  'bytes for the data and the journals of all worlds together. Reset or delete worlds, or raise the limit with --memory (memory in code).'

/** Thrown when a write does not fit, and nothing more may be dropped for it. */
export class DataMemoryError extends Error {
  override name = 'DataMemoryError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_MEMORY_FULL'

  constructor(limit: number) {
    super(`The memory limit of this mock is reached: ${limit} ${memoryAdvice}`)
  }
}

recognizeAcrossBuilds(DataMemoryError, 'DataMemoryError')

/** The parts that a world can give up. Both begin with the oldest. */
export interface MemoryOwner {
  /** Changes that could be taken back. */
  forgetChanges(isEnough: () => boolean): void
  /** Entries of its journal. */
  forgetRequests(isEnough: () => boolean): void
}

/**
 * An estimate of what requests leave in memory, in all worlds together: each write adds to it, and
 * what goes is subtracted.
 */
export class Memory {
  /** Drops what may go for the world that needs room. */
  makeRoom: (needed: MemoryOwner | undefined, isEnough: () => boolean) => void = () => undefined
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

  /** Returns whether these bytes fit. Makes room for them where it can. */
  hasRoom(bytes: number, needed: MemoryOwner | undefined): boolean {
    if (this.used + bytes <= this.limit) return true
    // A value that never fits is no reason to drop anything.
    if (bytes > this.limit) return false
    const isEnough = () => this.used + bytes <= this.limit
    this.makeRoom(needed, isEnough)
    return isEnough()
  }
}

/** The part of one world, so that all of it is subtracted at once when the world goes. */
export class WorldMemory {
  readonly all: Memory
  readonly #owner: MemoryOwner | undefined
  used = 0
  #rest = 0
  #hasEnded = false

  /** @param owner what can give up something for it; absent before it exists */
  constructor(all: Memory, owner?: MemoryOwner) {
    this.all = all
    this.#owner = owner
  }

  /**
   * Ensures that this many more bytes fit. @throws DataMemoryError otherwise. Nothing is written
   * then, but worlds may have been dropped.
   */
  reserve(bytes: number): void {
    if (bytes > 0 && !this.#hasEnded && !this.all.hasRoom(bytes, this.#owner))
      throw new DataMemoryError(this.all.limit)
  }

  change(bytes: number): void {
    if (this.#hasEnded) return
    this.used += bytes
    this.all.used += bytes
  }

  /** Adds what cannot be refused, such as a journal entry: it makes room. */
  add(bytes: number): void {
    this.change(bytes)
    if (bytes > 0) this.all.hasRoom(0, this.#owner)
  }

  /** Sets what is neither in records nor in the journal. */
  setRest(bytes: number): void {
    const more = bytes - this.#rest
    this.#rest = bytes
    this.add(more)
  }

  /** Subtracts everything for good: later work of the dropped world does not count. */
  end(): void {
    this.change(-this.used)
    this.#hasEnded = true
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
  for (const name in value)
    byteSize += memberSize + byteSizeOf((value as Record<string, unknown>)[name])
  return byteSize
}

/** @param bytes its length in UTF-8: where that is another one, each character takes two bytes. */
export function sizeOfText({ length }: string, bytes: number): number {
  return objectSize + (length === bytes ? length : 2 * length)
}

function textSize(text: string): number {
  return (
    objectSize +
    (text.length <= shortText || /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
  )
}

const maxKept = 2 ** 24
const maxOfOne = 2 ** 20

type WrittenReply = Outcome & { readonly text: string }

/**
 * Keeps outcomes that depend only on records, until these change. Past 16 MiB over all worlds, it
 * starts again.
 */
export class ReplyCache {
  #kept = new WeakMap<object, Map<string, WrittenReply>>()
  #bytes = 0

  /**
   * Returns the result of `make`, kept as long as `version` is. `name` identifies everything else
   * that it depends on.
   */
  get(version: object, name: string, make: () => WrittenReply): WrittenReply {
    const known = this.#kept.get(version)?.get(name)
    if (known) return known
    const made = make()
    const outcome = {
      ...made,
      length: made.length ?? byteLength(made.text),
    }
    // An outcome takes about twice the memory of its text.
    const bytes = 3 * textSize(made.text) + textSize(name) + 200
    if (bytes > maxOfOne) return outcome
    if (this.#bytes + bytes > maxKept) {
      this.#kept = new WeakMap()
      this.#bytes = 0
    }
    this.#bytes += bytes
    const ofVersion = this.#kept.get(version) ?? new Map<string, WrittenReply>()
    this.#kept.set(version, ofVersion.set(name, outcome))
    return outcome
  }
}
