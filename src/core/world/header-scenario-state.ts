import type { Memory } from './layer.ts'
import { toDigest } from '../store/fingerprint.ts'
import { weightOf } from '../store/weight.ts'
import type { NamedScenario } from './scenario-choice.ts'

/** The most scenarios to remember, and the most bytes of all. Past either, the least recently used one starts again. */
const most = 64
const mostBytes = 2 ** 25

/** The longest name of a state. A longer one, from many options, is replaced by its digest. */
const longestName = 100

/** The state of one scenario, and its last known size. */
interface Kept {
  readonly memories: Map<string, Memory>
  bytes: number
}

/** The counters of scenarios that requests name in a header, by name and options. */
export class HeaderScenarioState {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>()
  readonly #grow: (bytes: number) => void
  #bytes = 0

  /** @param grow called with the change of the stored size, in bytes. */
  constructor(grow: (bytes: number) => void) {
    this.#grow = grow
  }

  /** The bytes of all counters. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns the memory of a scenario; empty at first. @param name the result of `toStateName`. */
  of(name: string): Map<string, Memory> {
    const kept = this.#kept.get(name) ?? { memories: new Map(), bytes: 0 }
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    this.#count(kept, weigh(name, kept.memories))
    for (const [oldest, { bytes }] of this.#kept) {
      if (oldest === name || (this.#kept.size <= most && this.#bytes <= mostBytes)) break
      this.#kept.delete(oldest)
      this.#bytes -= bytes
      this.#grow(-bytes)
    }
    return kept.memories
  }

  /** Returns an independent copy. */
  clone(): HeaderScenarioState {
    const copy = new HeaderScenarioState(this.#grow)
    for (const [name, { memories }] of this.#kept) {
      const kept: Kept = {
        memories: new Map(Array.from(memories, ([id, memory]) => [id, memory.clone() as Memory])),
        bytes: 0,
      }
      copy.#kept.set(name, kept)
      copy.#count(kept, weigh(name, kept.memories))
    }
    return copy
  }

  /** Frees its memory. */
  end(): void {
    this.#grow(-this.#bytes)
    this.#bytes = 0
  }

  #count(kept: Kept, bytes: number): void {
    const more = bytes - kept.bytes
    kept.bytes = bytes
    this.#bytes += more
    this.#grow(more)
  }
}

/** Returns a name for a scenario with its options. */
export function toStateName({ name, options }: NamedScenario): string {
  const text = JSON.stringify([name, options])
  return text.length <= longestName ? text : toDigest(text)
}

function weigh(name: string, memories: ReadonlyMap<string, Memory>): number {
  let bytes = weightOf(name) + 200
  for (const memory of memories.values()) bytes += memory.bytes
  return bytes
}
