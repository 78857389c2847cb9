import type { ActiveScenario, Effect } from './effect.ts'

/** What lies over a world while one request is answered: the assumptions in force, and the effects in the order of their activation. */
export interface Overlay {
  readonly scenarios: readonly ActiveScenario[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly effects: readonly Effect[]
}

/** Lays scenarios over a world's assumptions, in the order of their activation: of two that decide the same, the last one counts. */
export function createOverlay(scenarios: readonly ActiveScenario[], assumptions: ReadonlyMap<string, string>): Overlay {
  const effects = scenarios.flatMap((scenario) => scenario.effects)
  const overlaid = effects.flatMap((effect) => Object.entries(effect.assumptions ?? {}))
  return {
    scenarios,
    assumptions: overlaid.length === 0 ? assumptions : new Map([...assumptions, ...overlaid]),
    effects: effects.filter((effect) => !effect.assumptions),
  }
}
