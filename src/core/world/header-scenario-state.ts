import type { HeaderState } from './effective-settings.ts'
import { toDigest } from '../secrets/fingerprint.ts'
import { byteSizeOf } from '../store/data-memory.ts'
import type { NamedScenario } from './scenario-choice.ts'

/** The most scenarios to remember, and the most bytes of all. Past either, the least recently used one starts again. */
const max = 64
const maxBytes = 2 ** 25

const longestName = 100

interface StoredState {
  readonly states: Map<string, HeaderState>
  bytes: number
}

export class HeaderScenarioState {
  /** Least recently used first. */
  readonly #states = new Map<string, StoredState>()
  readonly #grow: (bytes: number) => void
  #bytes = 0

  constructor(grow: (bytes: number) => void) {
    this.#grow = grow
  }

  get bytes(): number {
    return this.#bytes
  }

  of(name: string): Map<string, HeaderState> {
    const state = this.#states.get(name) ?? { states: new Map(), bytes: 0 }
    this.#states.delete(name)
    this.#states.set(name, state)
    this.#count(state, sizeOf(name, state.states))
    for (const [oldest, { bytes }] of this.#states) {
      if (oldest === name || (this.#states.size <= max && this.#bytes <= maxBytes)) break
      this.#states.delete(oldest)
      this.#bytes -= bytes
      this.#grow(-bytes)
    }
    return state.states
  }

  clone(): HeaderScenarioState {
    const copy = new HeaderScenarioState(this.#grow)
    for (const [name, { states }] of this.#states) {
      const state: StoredState = {
        states: new Map(Array.from(states, ([id, memory]) => [id, memory.clone() as HeaderState])),
        bytes: 0,
      }
      copy.#states.set(name, state)
      copy.#count(state, sizeOf(name, state.states))
    }
    return copy
  }

  end(): void {
    this.#grow(-this.#bytes)
    this.#bytes = 0
  }

  #count(state: StoredState, bytes: number): void {
    const more = bytes - state.bytes
    state.bytes = bytes
    this.#bytes += more
    this.#grow(more)
  }
}

export function toStateName({ name, options }: NamedScenario): string {
  const text = JSON.stringify([name, options])
  return text.length <= longestName ? text : toDigest(text)
}

function sizeOf(name: string, states: ReadonlyMap<string, HeaderState>): number {
  let bytes = byteSizeOf(name) + 200
  for (const state of states.values()) bytes += state.bytes
  return bytes
}
