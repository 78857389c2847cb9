import type { SavedStates } from './saved-states.ts'
import type { Snapshot } from './snapshot.ts'
import type { WorldState } from './world-state.ts'

/** All that brings a world back to what it was before an attempt. */
interface KeptState {
  readonly state: WorldState
  readonly saved: SavedStates
  readonly snapshot: Snapshot
}

/**
 * The state that an attempt set aside. It ends in one of two ways, once: it is taken back, or it is
 * discarded. Whatever comes later finds nothing, so that nobody needs to know what came first.
 */
export class FormerState {
  #kept: KeptState | undefined

  constructor(kept: KeptState) {
    this.#kept = kept
  }

  /** Returns the state, unless it was taken or discarded already. */
  take(): KeptState | undefined {
    const kept = this.#kept
    this.#kept = undefined
    return kept
  }

  discard(): void {
    this.take()?.state.end('another state took its place')
  }
}
