import documents from '../../../scenarios/*.yaml'
import { type ScenarioPart, toScenarioPart } from './part.ts'
import type { ScenarioFile } from './schema.ts'

export const bundledScenarios: ReadonlyMap<string, ScenarioFile> = /* @__PURE__ */ byName()

function byName(): Map<string, ScenarioFile> {
  return new Map(
    Object.entries(documents).map(([file, document]) => [file.replace(/\.yaml$/, ''), document as ScenarioFile]),
  )
}

/**
 * The bundled scenarios, for `createGreenhouse` of `greenhouse-mock/core`.
 * @example createGreenhouse({ areas: [plants], fixtures, scenarios })
 */
export const scenarios: ScenarioPart = /* @__PURE__ */ toScenarioPart(bundledScenarios)
