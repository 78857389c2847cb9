import type { ActiveScenario, LayerEffect } from './layer.ts'

/** What lies over a world while one request is answered: the assumptions in force, and the effects in the order of their activation. */
export interface Overlay {
  readonly scenarios: readonly ActiveScenario[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly effects: readonly LayerEffect[]
  /** The effect that an assumption has its value from, by the assumption's id; `undefined` where all are the world's own. */
  readonly switched: ReadonlyMap<string, LayerEffect> | undefined
}

/** Lays scenarios over a world's assumptions, in the order of their activation: of two that decide the same, the last one counts. */
export function createOverlay(scenarios: readonly ActiveScenario[], assumptions: ReadonlyMap<string, string>): Overlay {
  const effects = scenarios.flatMap((scenario) => scenario.effects)
  if (!effects.some((effect) => effect.assumptions)) return { scenarios, assumptions, effects, switched: undefined }
  const inForce = new Map(assumptions)
  const switched = new Map<string, LayerEffect>()
  for (const effect of effects)
    for (const [id, value] of Object.entries(effect.assumptions ?? {})) {
      inForce.set(id, value)
      switched.set(id, effect)
    }
  // What is switched to what it is anyway changes nothing.
  for (const id of switched.keys()) if (inForce.get(id) === assumptions.get(id)) switched.delete(id)
  return { scenarios, assumptions: inForce, effects, switched }
}
