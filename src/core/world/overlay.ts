import { withChoices } from '../definitions/assumption-values.ts'
import type { CoreActiveScenario, LayerEffect } from './layer.ts'

/** The overlay of a world for one request: the assumptions, and the effects in the order of their activation. */
export interface Overlay {
  readonly scenarios: readonly CoreActiveScenario[]
  readonly scenarioNames: readonly string[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly effects: readonly LayerEffect[]
  /** The names of the effects, for holders that must not keep the effects alive. */
  readonly names: readonly Pick<LayerEffect, 'scenario' | 'id' | 'kind'>[]
  readonly switched: ReadonlyMap<string, LayerEffect> | undefined
  /** Tables of effects that act together, by their indexes as bits. Requests with the same effects share one. */
  readonly matched: Map<number, object>
  /** Values of X-Greenhouse, by operation and by the bits of the effects that acted. */
  readonly traces: Map<object | undefined, Map<number, string>>
}

/** Applies scenarios to a world's assumptions, in order of activation: the last one wins. */
export function createOverlay(
  scenarios: readonly CoreActiveScenario[],
  assumptions: ReadonlyMap<string, string>,
): Overlay {
  const effects = scenarios.flatMap((scenario) => scenario.effects)
  const scenarioNames = [...new Set(scenarios.map(({ name }) => name))]
  const names = effects.map(({ scenario, id, kind }) => ({ scenario, id, ...(kind !== undefined && { kind }) }))
  const common = { scenarios, scenarioNames, effects, names, matched: new Map<number, object>(), traces: new Map() }
  if (!effects.some((effect) => effect.assumptions)) return { ...common, assumptions, switched: undefined }
  const switched = new Map<string, LayerEffect>()
  const choices = new Map<string, string>()
  for (const effect of effects)
    for (const [id, value] of Object.entries(effect.assumptions ?? {})) {
      choices.set(id, value)
      switched.set(id, effect)
    }
  const inForce = withChoices(assumptions, choices)
  // Setting an assumption to the value that it has already is not a change.
  for (const id of switched.keys()) if (inForce.get(id) === assumptions.get(id)) switched.delete(id)
  return { ...common, assumptions: inForce, switched }
}
