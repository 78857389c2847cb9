import { HeaderOverlays, type HeaderBase } from './header-overlays.ts'
import { HeaderScenarioState } from './header-scenario-state.ts'
import type { Overlay } from './overlay.ts'

/** The scenarios that requests of one world name in a header, and their memory between requests. */
export interface HeaderLayer {
  /** Returns the world's overlay with the header's scenarios on top. @throws RangeError, UnsupportedFaultError */
  overlaid(text: string, base: HeaderBase): Overlay
  /** Clears cached overlays: the world's own has changed. */
  clear(): void
  /** Resets the memory of these scenarios. */
  reseed(): void
  /** Returns their memory, for a snapshot. */
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
