import { withChoices } from '../definitions/assumption-values.ts'
import type { ActiveScenario, LayerEffect } from './layer.ts'

/** The overlay of a world for one request: the assumptions, and the effects in the order of their activation. */
export interface Overlay {
  readonly scenarios: readonly ActiveScenario[]
  /** The names of the scenarios, each once. */
  readonly scenarioNames: readonly string[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly effects: readonly LayerEffect[]
  /** What the effects are called, for whoever must not hold on to them. */
  readonly names: readonly Pick<LayerEffect, 'scenario' | 'id'>[]
  /** The effect that an assumption has its value from, by the assumption's id; `undefined` where all are the world's own. */
  readonly switched: ReadonlyMap<string, LayerEffect> | undefined
  /** What was made of those of its effects that act together, by their places as bits: equal requests share it. */
  readonly matched: Map<number, object>
  /** What replies tell of the operation and the scenarios that acted, by operation and by the bits of those that did. */
  readonly traces: Map<object | undefined, Map<number, string>>
}

/** Lays scenarios over a world's assumptions, in the order of their activation: of two that decide the same, the last one counts. */
export function createOverlay(scenarios: readonly ActiveScenario[], assumptions: ReadonlyMap<string, string>): Overlay {
  const effects = scenarios.flatMap((scenario) => scenario.effects)
  const scenarioNames = [...new Set(scenarios.map(({ name }) => name))]
  const names = effects.map(({ scenario, id }) => ({ scenario, id }))
  const laid = { scenarios, scenarioNames, effects, names, matched: new Map<number, object>(), traces: new Map() }
  if (!effects.some((effect) => effect.assumptions)) return { ...laid, assumptions, switched: undefined }
  const switched = new Map<string, LayerEffect>()
  const choices = new Map<string, string>()
  for (const effect of effects)
    for (const [id, value] of Object.entries(effect.assumptions ?? {})) {
      choices.set(id, value)
      switched.set(id, effect)
    }
  const inForce = withChoices(assumptions, choices)
  // What is switched to what it is anyway changes nothing.
  for (const id of switched.keys()) if (inForce.get(id) === assumptions.get(id)) switched.delete(id)
  return { ...laid, assumptions: inForce, switched }
}
