import { HeaderOverlays, type HeaderBase } from './header-overlays.ts'
import { HeaderScenarioState } from './header-scenario-state.ts'
import type { Overlay } from './overlay.ts'

/** The scenarios that requests of one world name in a header, and what these remember from request to request. */
export interface HeaderLayer {
  /** The world's overlay with the scenarios that a header names laid over it. @throws RangeError UnsupportedFaultError */
  overlaid(text: string, base: HeaderBase): Overlay
  /** Forgets the overlays: something else lies below. */
  clear(): void
  /** Lets what they remember begin anew. */
  reseed(): void
  /** What they remember, to be restored. */
  save(): HeaderScenarioState
  restore(saved: HeaderScenarioState): void
}

/** @param grow called with the change of the stored size, in bytes. */
export function createHeaderLayer(grow: (bytes: number) => void): HeaderLayer {
  const overlays = new HeaderOverlays(grow)
  let state = new HeaderScenarioState(grow)
  return {
    overlaid: (text, base) => overlays.get(text, base, state),
    clear: () => overlays.clear(),
    reseed() {
      state.end()
      state = new HeaderScenarioState(grow)
    },
    save: () => state.clone(),
    restore(saved) {
      state.end()
      state = saved.clone()
    },
  }
}
